import Foundation
import GraphQLRuntime
import Testing

@Suite struct SmokeTests {
  @Test func buildsAndReads() throws {
    let card = Shop.ProductQuery.fragment("Card") { $0.id().title() }
    let query = Shop.buildQuery(named: "Home", directives: [.inContext(country: .green)]) {
      $0
        .products(first: 2) {
          $0
            .spread(card)
            .image(size: 10) { $0.url(width: 3) }
            .image(alias: "big", size: 100) { $0.url() }
            .null("after").images(first: 1) { $0.height() }
            .price().createdAt().code()
        }
        .node(id: "1") { $0.onProduct { $0.spread(card) } }
        .product(by: .handle("x\"y")) { $0.include(if: false).title().id() }
    }
    print(query)
    let operation = try query.operation()
    print(operation.document)
    print(String(decoding: operation.variables, as: UTF8.self))
    let json = #"""
      {"data":{"products":[{"id":"p1","title":"T","image":{"url":"https://a.b/c"},"image__big":null,
      "images":[{"height":3}],"price":"12.50","createdAt":"2026-01-31T09:30:00Z","code":"PURPLE"}],
      "node":{"__typename":"Alien"},"product":{"id":"7"}}}
      """#
    let response = try operation.response(from: Array(json.utf8))
    let data = try #require(response.data)
    let product = data.products[0]
    #expect(product.title == "T")
    #expect(product.image?.url.absoluteString == "https://a.b/c")
    #expect(product.aliasedImage(alias: "big") == nil)
    #expect(product.code == .unknownValue)
    #expect(product.rawText(\.code) == "PURPLE")
    #expect(product.has(\.title) && !product.has(\.available) && product.has(\.image?.url))
    #expect(data.node is Shop.UnknownNode)
    #expect(data.node?.__typename == "Alien")
    #expect(data.product?.title == nil)
    #expect(try GraphQL.FieldPath(\Shop.Product.image?.url).description == "image.url")
  }
}
