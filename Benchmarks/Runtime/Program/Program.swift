// A program that uses 40 fields of Shopify's Storefront API. Only its names are read: they
// determine what pruning keeps when `compile-cost` measures a pruned module.
func home() {
  _ = Storefront.buildQuery {
    $0
      .shop { $0.name().primaryDomain { $0.host() } }
      .collection(handle: "hats") {
        $0
          .title().handle()
          .products(first: 20, after: nil) {
            $0
              .pageInfo { $0.hasNextPage().endCursor() }
              .nodes {
                $0
                  .vendor().tags().availableForSale().publishedAt()
                  .priceRange {
                    $0
                      .minVariantPrice { $0.amount().currencyCode() }
                      .maxVariantPrice { $0.amount() }
                  }
                  .images(first: 3) { $0.nodes { $0.url().altText().width().height() } }
                  .variants(first: 5) {
                    $0
                      .nodes {
                        $0
                          .sku().price { $0.amount() }.compareAtPrice { $0.amount() }
                          .selectedOptions { $0.name().value() }
                      }
                  }
              }
          }
      }
      .cart(id: "c") {
        $0
          .checkoutUrl().totalQuantity().note()
          .cost { $0.totalAmount { $0.amount() }.subtotalAmount { $0.amount() } }
      }
  }
  _ = Storefront.buildMutation {
    $0
      .cartLinesAdd(cartId: "c", lines: [Storefront.CartLineInput(merchandiseId: "v", quantity: 1)])
    {
      $0
        .cart { $0.id() }
        .userErrors { $0.field().message() }
    }
  }
}
