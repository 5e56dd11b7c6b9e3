import Foundation
import GraphJSON
import Testing

@testable import GraphQLRuntime

@Suite struct TypedOperationTests {
  private static let product = """
    {"id":"p1","title":"Hat","price":"9.50",\
    "images":[{"url":"https://e.test/1","height":10},{"url":"https://e.test/2","height":null}],\
    "owner":{"title":"Anna"},"tags":["a","\\u00e9"],"rating":4.5,"code":"DEEP_RED","codes":["GREEN","NEW"],\
    "matrix":[[1,null],[]]}
    """

  private static func data(_ product: String, owner: String = "") -> String {
    """
    {"products":[\(product)],\
    "search":[{"__typename":"Product","title":"Cap","owner":{"id":7}},\
    {"__typename":"Article","title":"News","body":null},{"__typename":"Video"}],\
    "node":{"__typename":"Product","id":"n1","title":"Named","owner":{"__typename":"Article","id":"o1"}},\
    "nodes":[{"__typename":"Article","id":"a"},{"__typename":"Product","id":"b"}],\
    "named":{"id":"x","legacy":null,"related":[null,{"__typename":"Article","id":"r"}]}}
    """
  }

  private func query(_ long: Bool = false) throws -> GraphQL.Operation<ScreenQuery.Data> {
    try ScreenQuery(first: 5, long: long, text: "hat").operation()
  }

  @Test func readsEveryField() throws {
    let data = try query().data(Self.data(Self.product))
    let product = try #require(data.products.first)
    #expect(product.id == "p1" && product.title == "Hat")
    #expect(product.images.map(\.height) == [10, nil])
    #expect(product.images[1].url.description == "https://e.test/2")
    #expect(product.tags == ["a", "é"])
    #expect(
      product.rating == 4.5 && product.code == .deepRed
        && product.codes == [.green, .unknownValue("NEW")])
    #expect(product.matrix == [[1, nil], []])
    let card = product.productCard
    #expect(card.title == "Hat" && card.price.description == "9.5")
    #expect(card.images.map(\.height) == [10, nil] && card.owner?.title == "Anna")
    #expect(data.search.map(\.__typename) == ["Product", "Article", "Video"])
    #expect(data.search[0].asProduct?.owner?.id == "7")
    #expect(data.search[0].asArticle == nil)
    guard case .article(let article) = data.search[1].kind else {
      Issue.record("\(data.search[1].kind)")
      return
    }
    #expect(article.title == "News" && article.body == nil)
    #expect(data.search[2].kind == .other("Video"))
    #expect(data.node?.id == "n1" && data.node?.asNamed?.title == "Named")
    #expect(data.node?.asNamed?.owner?.__typename == "Article")
    #expect(data.nodes.map(\.id) == ["a", "b"])
    #expect(data.named?.related?.map { $0?.id } == [nil, "r"])
    #expect(data.named?.id == "x" && data.named?.legacy == nil && data.named?.image == nil)
  }

  @Test func conditionsDecideWhichFieldsArrive() throws {
    let long = try query(true)
    let withoutOwner = Self.product.replacing(#""owner":{"title":"Anna"},"#, with: "")
    let json = Self.data(withoutOwner).replacing(
      #""legacy":null"#, with: #""legacy":"l","image":{"height":3}"#)
    let data = try long.data(json)
    #expect(data.products[0].productCard.owner == nil)
    #expect(data.named?.image?.height == 3 && data.named?.legacy == "l")
    // The same documents, with other expectations.
    #expect(throws: GraphQL.ResponseFailure.self) { try query(false).data(json) }
    #expect(throws: GraphQL.ResponseFailure.self) { try long.data(Self.data(Self.product)) }
  }

  /// A field that a condition leaves out is nil, also if another part of the document selects it.
  @Test func conditionsDecideWhatAViewHas() throws {
    let operation = try ConditionsQuery(long: false).operation()
    let short = #"{"id":"1","images":[{"height":3}]}"#
    let reordered = #"{"images":[{"height":3}],"id":"1"}"#
    // The second response of a type is read in one pass.
    for product in [short, short, reordered] {
      let product = try #require(operation.data(#"{"products":[\#(product)]}"#).products.first)
      #expect(product.details == nil && product.id == "1" && product.images.map(\.height) == [3])
      #expect(product.sizes.images == nil)
    }
    let long =
      #"{"title":"Hat","price":"1","id":"1","images":[{"height":3,"url":"https://e.test"}]}"#
    for _ in 0..<2 {
      let data = try ConditionsQuery(long: true).operation().data(#"{"products":[\#(long)]}"#)
      let product = try #require(data.products.first)
      #expect(product.details?.title == "Hat" && product.details?.price == 1)
      #expect(product.sizes.images?.map(\.url.absoluteString) == ["https://e.test"])
    }
  }

  @Test func keysInAnyOrderAndUnknownKeysAreRead() throws {
    let other = """
      {"extra":{"a":[1]},"codes":[],"code":"GREEN","price":"1","title":"first","rating":null,"tags":[],\
      "images":[],"title":"Last","owner":null,"matrix":null,"id":3}
      """
    let data = try query().data(Self.data(other))
    let product = data.products[0]
    #expect(product.title == "Last" && product.productCard.title == "Last" && product.id == "3")
    #expect(product.rating == nil && product.matrix == nil && product.codes == [])
  }

  @Test func requestHasVariablesAsGiven() throws {
    let operation = try query()
    #expect(operation.name == "Screen")
    #expect(operation.variablesText == #"{"first":5,"long":false,"text":"hat"}"#)
    let other = try ScreenQuery(long: true, text: "\"", by: .id("1")).operation()
    #expect(other.variablesText == #"{"long":true,"text":"\"","by":{"id":"1"}}"#)
    let absent: Shop.ProductBy? = nil
    let null = ScreenQuery(long: true, text: "", by: absent)
    #expect(try null.operation().variablesText == #"{"long":true,"text":""}"#)
    #expect(
      try null.null("first", "by").operation().variablesText
        == #"{"long":true,"text":"","first":null,"by":null}"#)
    // The original has no null.
    #expect(try null.operation().variablesText == #"{"long":true,"text":""}"#)
    let problem = #expect(throws: GraphQL.InvalidQuery.self) {
      try ScreenQuery(first: 1 << 40, long: true, text: "").operation()
    }
    #expect(problem?.description.contains("first") == true)
  }

  @Test func rejectsNullsThatTheDocumentDoesNotAllow() throws {
    let query = ScreenQuery(long: true, text: "", by: .id("1")).null("by", "text", "bye")
    let problems = #expect(throws: GraphQL.InvalidQuery.self) { try query.operation() }?.problems
    #expect(
      problems?.map(\.message) == [
        "variable `by`: it has a value, so it cannot be null",
        "variable `text`: it has a value, so it cannot be null",
        "variable `bye`: the operation has no variable of this name",
      ])
    struct WithoutVariables: GraphQL.TypedQuery {
      typealias Response = ConditionsQuery.Data
      let _variables = GraphQL.Variables(ConditionsQuery.Data.self)
    }
    let required = #expect(throws: GraphQL.InvalidQuery.self) {
      try WithoutVariables().null("long").operation()
    }
    #expect(
      required?.problems.map(\.message) == [
        "variable `long`: null where the schema requires a value"
      ])
  }

  @Test func equalityIsByTheSelectedContent() throws {
    let first = try query().data(Self.data(Self.product))
    let second = try query().data(
      " " + Self.data(Self.product.replacing("\"p1\"", with: "\"\\u00701\"")))
    #expect(first == second && first.hashValue == second.hashValue)
    let twin = try query().data(Self.data(Self.product))
    #expect(first == twin && first.search == twin.search)
    let third = try query().data(Self.data(Self.product.replacing("10", with: "11")))
    #expect(first != third)
    #expect(
      first.search == third.search && first.products[0].images[1] == third.products[0].images[1])
    // Other fields make no difference for a fragment.
    let fourth = try query().data(Self.data(Self.product.replacing("4.5", with: "4")))
    #expect(first != fourth && first.products[0].productCard == fourth.products[0].productCard)
  }

  /// Servers compare IDs by their bytes, and Swift texts by their characters.
  @Test func textsInDifferentNormalFormsDiffer() throws {
    func data(_ id: String) throws -> ScreenQuery.Data {
      try query().data(Self.data(Self.product.replacing("\"p1\"", with: "\"\(id)\"")))
    }
    let composed = try data("\u{E9}")
    #expect(try composed == data("\\u00e9"))
    #expect(try composed != data("e\u{301}"))
    #expect(try Set([composed, data("e\u{301}"), data("\\u00E9")]).count == 2)
  }

  @Test func hashesOfDifferentObjectsDiffer() throws {
    let products = try (0..<100).map { number in
      let text = Self.product.replacing("\"p1\"", with: "\"q\(number)\"")
      return try query().data(Self.data(text)).products[0]
    }
    #expect(Set(products.map(\.hashValue)).count == 100)
    #expect(Set(products.map(\.productCard)).count == 1)
  }

  @Test func objectsAreShownByTheirJSON() throws {
    let product = #"{"id":"p}1","title":"\"}{","price":"9.50"}"#
    let json = Self.data(Self.product).replacing(
      #""id":"p1","title":"Hat","price":"9.50""#, with: String(product.dropFirst().dropLast()))
    let first = try query().data(json).products[0]
    let shown = String(product.dropLast()) + "," + Self.product.split(separator: "\"9.50\",")[1]
    #expect(String(reflecting: first).hasSuffix("Product(_fields: \(shown))"))
    var dumped = ""
    dump(first.images[0], to: &dumped)
    #expect(dumped.contains(#"{"url":"https://e.test/1","height":10}"#))
    #expect(!dumped.contains("ResponseDocument"))
  }

  /// The data of a typed operation is text as well, for stores and caches.
  @Test func hasTheTextOfTheResponse() throws {
    let json = Self.data(Self.product)
    let stored = try query().data(json)._stored
    #expect(String(decoding: stored.json.source(at: stored.index), as: UTF8.self) == json)
  }
}
