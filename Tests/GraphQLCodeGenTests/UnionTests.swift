import Testing

@Suite struct UnionTests {
  let module: Generation

  init() throws {
    module = try Generation(
      """
      interface Node { id: ID! }
      "What a search finds."
      union SearchResult = Product | Article
      type Product implements Node { id: ID! }
      type Article { title: String }
      type Query { search: [SearchResult!]! best: SearchResult }
      """)
  }

  @Test func unionGeneratesProtocolWithoutAccessors() {
    #expect(
      module.declaration("public protocol SearchResult") == """
        /// What a search finds.
        public protocol SearchResult: GraphQL.AbstractResponse {}
        """)
    #expect(module.declaration("nonisolated extension Shop.SearchResult") == nil)
  }

  @Test func memberClassesConformToUnionProtocol() {
    #expect(
      module.declaration("public final class Product:")?.hasPrefix(
        "public final class Product: _Response, Node, SearchResult, Identifiable, @unchecked Sendable {"
      ) == true)
  }

  @Test func builderHasConditionsOnly() {
    #expect(
      module.declaration("public final class SearchResultQuery") == """
        /// What a search finds.
        public final class SearchResultQuery: _Query {
          /// Selects fields of the objects that are of the type `Article`.
          @discardableResult
          public func onArticle(_ subfields: (ArticleQuery) -> Void) -> SearchResultQuery {
            _on("Article", subfields)
            return self
          }

          /// Selects fields of the objects that are of the type `Node`.
          @discardableResult
          public func onNode(_ subfields: (NodeQuery) -> Void) -> SearchResultQuery {
            _on("Node", subfields)
            return self
          }

          /// Selects fields of the objects that are of the type `Product`.
          @discardableResult
          public func onProduct(_ subfields: (ProductQuery) -> Void) -> SearchResultQuery {
            _on("Product", subfields)
            return self
          }
        }
        """)
  }

  @Test func unlistedMembersHaveAClass() {
    #expect(
      module.declaration("public final class UnknownSearchResult")?.hasSuffix(
        "public final class UnknownSearchResult: _Response, SearchResult, @unchecked Sendable {}")
        == true)
  }

  @Test func readersReturnExistentials() {
    #expect(
      module.declaration("public var search")
        == "public var search: [any SearchResult] { _anyList(\"search\") }")
    #expect(
      module.declaration("public var best")
        == "public var best: (any SearchResult)? { _anyOpt(\"best\") }")
  }
}
