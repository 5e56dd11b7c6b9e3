import GraphQLRuntime
import StorefrontAPI

func shopQuery() -> Storefront.QueryRootQuery {
  Storefront.buildQuery { $0.shop { $0.name() } }
}

func noteMutation() -> Storefront.MutationQuery {
  Storefront.buildMutation { $0.cartNoteUpdate(cartId: "1", note: "B") { $0.cart { $0.note() } } }
}
