import Testing

@Suite struct DocumentationTests {
  @Test func descriptionsDocumentBuilderAndResponseClasses() throws {
    let module = try Generation(
      #"""
      """
      A thing to buy.

      With *two* paragraphs.
      """
      type Product { "Its name." title: String }
      """#)
    #expect(
      module.declaration("public final class ProductQuery") == """
        /// A thing to buy.
        ///
        /// With *two* paragraphs.
        public final class ProductQuery: _Query {
          /// Its name.
          @discardableResult
          public func title(alias: String? = nil) -> ProductQuery {
            _field(0, alias)
            return self
          }
        }
        """)
    #expect(
      module.declaration("public final class Product:") == """
        /// A thing to buy.
        ///
        /// With *two* paragraphs.
        public final class Product: _Response, @unchecked Sendable {
          /// Its name.
          public var title: String? { _stringOpt("title") }
        }
        """)
  }

  @Test func schemaDescriptionDocumentsNamespace() throws {
    let module = try Generation("\"A shop.\" schema { query: Q } type Q { a: Int }")
    #expect(
      module.text.contains("\n/// A shop.\nnonisolated public enum Shop: GraphQL.Namespace {\n"))
  }

  @Test func parametersAreDocumentedWithDefaultsAndDeprecations() throws {
    let module = try Generation(
      #"""
      type Query {
        "Finds things."
        find(
          """
          At most
          so many.
          """
          first: Int = 10
          after: String
          old: Int @deprecated(reason: "Use `first`.")
          in: [Sort!] = [A, B]
          text: String = "a`b"
        ): Int
      }
      enum Sort { A B }
      """#)
    #expect(
      module.declaration("public func find")?.hasPrefix(
        """
        /// Finds things.
        ///
        /// - Parameter first: At most so many. Default: `10`.
        /// - Parameter old: Deprecated: Use `first`.
        /// - Parameter in_: Default: `[A, B]`.
        /// - Parameter text: Default: `` "a`b" ``.
        @discardableResult
        public func find(
        """) == true)
  }

  @Test func allMembersOfDeprecatedFieldAreDeprecated() throws {
    let module = try Generation(
      """
      type Query implements I { a(x: Int): Int @deprecated(reason: "Say \\"b\\".") }
      interface I { a(x: Int): Int @deprecated }
      """)
    #expect(
      module.declaration("public final class QueryQuery") == #"""
        public final class QueryQuery: _Query {
          @available(*, deprecated, message: "Say \"b\".")
          @discardableResult
          public func a(alias: String? = nil, x: Int? = nil) -> QueryQuery {
            _field(0, alias)
            _arg("x", x)
            return self
          }
        }
        """#)
    #expect(
      module.declaration("public final class Query:") == #"""
        public final class Query: _Response, I, @unchecked Sendable {
          @available(*, deprecated, message: "Say \"b\".")
          public var a: Int? { _intOpt("a") }

          @available(*, deprecated, message: "Say \"b\".")
          public func aliasedA(alias: String) -> Int? {
            _intOpt("a", alias)
          }
        }
        """#)
    #expect(
      module.declaration("nonisolated extension Shop.I") == #"""
        nonisolated extension Shop.I {
          @available(*, deprecated, message: "No longer supported")
          public var a: Int? { _intOpt("a") }

          @available(*, deprecated, message: "No longer supported")
          public func aliasedA(alias: String) -> Int? {
            _intOpt("a", alias)
          }
        }
        """#)
  }

  /// The text that an editor shows for a member. If the schema describes everything, every member
  /// that can be written by hand has one.
  @Test func everyMemberHasDocumentation() throws {
    let module = try Generation(
      #"""
      "S." schema { query: Query mutation: Mutation subscription: Subscription }
      "Q." type Query { "N." node("I." id: ID!): Node "S." search("F." filter: Filter!): [Found!] }
      "N." interface Node { "I." id: ID! }
      "P." type Product implements Node { "I." id: ID! "K." kind: Kind "U." url: URL }
      "O." union Found = Product
      "K." enum Kind { "A." A "B." B }
      "F." input Filter { "W." words: String! "L." limit: Int = 10 "B." by: By "P." page: Page }
      "P." input Page { "S." size: Int! }
      "B." input By @oneOf { "V." vendor: String "K." kind: Kind }
      "U." scalar URL
      "M." type Mutation { "R." rename("T." to: String!): Product }
      "S." type Subscription { "C." changes: Product }
      """#)
    var members = 0
    var isDescribed = false
    for line in module.text.split(separator: "\n").map(\.trimmed) {
      if line.hasPrefix("///") { isDescribed = true }
      if line.hasPrefix("///") || line.hasPrefix("@") { continue }
      // Requirements of the runtime's protocols inherit its comments.
      let isWritten = !["_", "typealias ", "import "].contains {
        line.contains("var \($0)") || line.contains("func \($0)") || line.hasPrefix("public \($0)")
      }
      if line.hasPrefix("public "), isWritten {
        members += 1
        #expect(isDescribed, "\(line)")
      }
      isDescribed = false
    }
    #expect(members > 40)
  }
}
