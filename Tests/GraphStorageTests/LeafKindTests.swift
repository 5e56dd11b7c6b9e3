import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStorage
import StorefrontAPI
import Testing

/// How values of Swift types are stored.
@Suite struct LeafKindTests {
  @Test func mapsSwiftTypesToKinds() {
    #expect(GraphQL.LeafKind(String.self) == .text)
    #expect(GraphQL.LeafKind(GraphQL.ID.self) == .text)
    #expect(GraphQL.LeafKind(Storefront.CurrencyCode.self) == .text)
    #expect(GraphQL.LeafKind(URL.self) == .text)
    #expect(GraphQL.LeafKind(Int.self) == .int)
    #expect(GraphQL.LeafKind(Double.self) == .float)
    #expect(GraphQL.LeafKind(Bool.self) == .bool)
    #expect(GraphQL.LeafKind(Decimal.self) == .decimal)
    #expect(GraphQL.LeafKind(GraphQL.BigInt.self) == .decimal)
    #expect(GraphQL.LeafKind(GraphQL.DateTime.self) == .dateTime)
    #expect(GraphQL.LeafKind(Storefront.Product.self) == nil)
    #expect(GraphQL.LeafKind([String].self) == nil)
  }

  @Test func findsKindByName() {
    #expect(GraphQL.LeafKind(name: GraphQL.LeafKind.dateTime.name) == .dateTime)
    #expect(GraphQL.LeafKind(name: "color") == nil)
  }

  @Test func encodesValuesAsJSON() {
    func text(_ value: some GraphQL.InputValue) -> String? {
      GraphQL._json(value)
        .map { String(decoding: $0.source(at: JSONDocument.rootIndex), as: UTF8.self) }
    }
    #expect(text("a\"b") == #""a\"b""#)
    #expect(text(7) == "7")
    #expect(text(Double.infinity) == nil)
  }

  @Test func convertsDateTimesToSeconds() {
    #expect(GraphQL._seconds("1970-01-01T00:00:01.5Z") == 1.5)
    #expect(GraphQL._seconds("yesterday") == nil)
  }
}
