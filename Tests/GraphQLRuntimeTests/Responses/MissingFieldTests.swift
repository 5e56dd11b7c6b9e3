import GraphQLRuntime
import Testing

/// Fields that are not in a response.
@Suite struct MissingFieldTests {
  private static func data() throws -> Shop.QueryRoot {
    try Shop.buildQuery {
      $0.products { $0.skip(if: true).title().skip(if: true).tags().image { $0.height() } }
        .node(id: "1") { $0.onProduct { $0.title() } }
    }.operation().data(
      #"{"products":[{"image":null},{"image":{"height":1}}],"node":{"__typename":"Article"}}"#)
  }

  @Test func messageContainsTypeFieldAndSelection() throws {
    let data = try Self.data()
    let missing = #expect(throws: GraphQL.MissingField.self) { try data.products[1].read(\.price) }
    #expect(
      missing?.description
        == "Product.price at `products[1]` was not selected; select the field `price` there")
    #expect(missing?.typeName == "Product" && missing?.fieldName == "price")
    #expect(missing?.path == [.key("products"), .index(1)] && missing?.isConditional == false)
    let nested = #expect(throws: GraphQL.MissingField.self) {
      try data.products[1].read(\.image?.url)
    }
    #expect(
      nested?.description
        == "Image.url at `products[1].image` was not selected; select the field `url` there")
    let root = #expect(throws: GraphQL.MissingField.self) { try data.read(\.search) }
    #expect(root?.description.hasPrefix("QueryRoot.search at the root was not selected") == true)
  }

  @Test func fieldsBelowNullAreNotMissing() throws {
    let product = try Self.data().products[0]
    #expect(product.has(\.image?.url))
    #expect(try product.read(\.image?.url) == nil)
  }

  @Test func skippedFieldsAreAbsent() throws {
    let product = try Self.data().products[0]
    #expect(!product.has(\.title) && !product.has(\.tags))
    #expect(product.title == nil)
    let missing = #expect(throws: GraphQL.MissingField.self) { try product.read(\.tags) }
    #expect(missing?.isConditional == true)
    #expect(
      missing?.description
        == "Product.tags at `products[0]` was left out by @skip or @include; check `has` first")
  }

  @Test func selectionOnOtherTypeDoesNotCount() throws {
    let node = try #require(try Self.data().node as? Shop.Article)
    let missing = #expect(throws: GraphQL.MissingField.self) { try node.read(\.title) }
    #expect(missing?.isConditional == false)
  }

  @Test func unrequestedFieldOfWrongTypeIsMissing() throws {
    let data = try Shop.buildQuery { $0.products { $0.id() } }.operation().data(
      #"""
      {"products":[{"id":"1","rating":"x","tags":[1],"available":null,"image":3,"related":{},
      "createdAt":"no","matrix":[[1],2],"owner":[],"title":"T"}],"flags":1}
      """#)
    let product = data.products[0]
    #expect(!product.has(\.rating) && !product.has(\.tags) && !product.has(\.available))
    #expect(!product.has(\.image) && !product.has(\.image?.url) && !product.has(\.related))
    #expect(!product.has(\.createdAt) && !product.has(\.matrix) && !product.has(\.owner))
    #expect(product.has(\.title) && product.title == "T")
    #expect(product.field("rating") as? String == "x" && product.field("image") as? Int == 3)
    #expect(product.field("related") is GraphQL.AbstractResponse)
    #expect(throws: GraphQL.MissingField.self) { try data.read(\.flags) }
  }

  @Test func plainAccessorStopsProcessWithMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let data = try Shop.buildQuery { $0.products { $0.id() } }.operation()
        .data(#"{"products":[{"id":"1"}]}"#)
      _ = data.products[0].aliasedImage(alias: "big")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        "Product.image at `products[0]` was not selected; select the field `image` with "
          + "`alias: \"big\"` there"))
  }

  @Test func plainAccessorOfAbstractFieldStopsProcessWithMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let data = try Shop.buildQuery { $0.flags() }.operation().data(#"{"flags":null,"nodes":[1]}"#)
      _ = data.nodes
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains("QueryRoot.nodes at the root was not selected; select the field `nodes` there"))
  }
}
