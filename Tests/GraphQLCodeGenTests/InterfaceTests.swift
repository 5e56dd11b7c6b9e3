import Testing

@Suite struct InterfaceTests {
  let module: Generation

  init() throws {
    module = try Generation(
      """
      "Has an identity."
      interface Node { id: ID! }
      interface Named implements Node { id: ID! name(short: Boolean): String owner: Node }
      interface Other { x: Int }
      type Product implements Node & Named { id: ID! name(short: Boolean): String owner: Product }
      type Order implements Node { id: ID! }
      type Query { node: Node nodes: [Node!]! sparse: [Node]! must: Node! }
      """)
  }

  @Test func interfaceGeneratesProtocol() {
    #expect(
      module.declaration("public protocol Node") == """
        /// Has an identity.
        public protocol Node: GraphQL.AbstractResponse {}
        """)
  }

  @Test func implementingInterfaceInheritsProtocol() {
    #expect(module.declaration("public protocol Named") == "public protocol Named: Node {}")
  }

  @Test func accessorsAreInExtensionWithQualifiedTypes() {
    #expect(
      module.declaration("nonisolated extension Shop.Named") == """
        nonisolated extension Shop.Named {
          public var id: GraphQL.ID { _id("id") }

          public var name: String? { _stringOpt("name") }

          public func aliasedName(alias: String) -> String? {
            _stringOpt("name", alias)
          }

          public var owner: (any Shop.Node)? { _anyOpt("owner") }
        }
        """)
  }

  @Test func classesListAllTheirProtocols() {
    #expect(
      module.declaration("public final class Product:") == """
        public final class Product: _Response, Named, Node, Identifiable, @unchecked Sendable {
          public var id: GraphQL.ID { _id("id") }

          public var name: String? { _stringOpt("name") }

          public func aliasedName(alias: String) -> String? {
            _stringOpt("name", alias)
          }

          public var owner: Product? { _oneOpt("owner") }
        }
        """)
  }

  @Test func unlistedTypesHaveAClass() {
    #expect(
      module.declaration("public final class UnknownNamed") == """
        /// A value of the abstract type Named whose own type is not listed
        /// in the schema.
        public final class UnknownNamed: _Response, Named, Node, @unchecked Sendable {}
        """)
  }

  @Test func generatesConditionsForObjectsAndOverlappingInterfaces() {
    #expect(
      module.declaration("public final class NodeQuery") == """
        /// Has an identity.
        public final class NodeQuery: _Query {
          @discardableResult
          public func id(alias: String? = nil) -> NodeQuery {
            _field(0, alias)
            return self
          }

          /// Selects fields of the objects that are of the type `Named`.
          @discardableResult
          public func onNamed(_ subfields: (NamedQuery) -> Void) -> NodeQuery {
            _on("Named", subfields)
            return self
          }

          /// Selects fields of the objects that are of the type `Order`.
          @discardableResult
          public func onOrder(_ subfields: (OrderQuery) -> Void) -> NodeQuery {
            _on("Order", subfields)
            return self
          }

          /// Selects fields of the objects that are of the type `Product`.
          @discardableResult
          public func onProduct(_ subfields: (ProductQuery) -> Void) -> NodeQuery {
            _on("Product", subfields)
            return self
          }
        }
        """)
  }

  @Test func abstractFieldsReturnExistentials() {
    #expect(
      module.declaration("public final class Query:") == """
        public final class Query: _Response, @unchecked Sendable {
          public var node: (any Node)? { _anyOpt("node") }

          public var nodes: [any Node] { _anyList("nodes") }

          public var sparse: [(any Node)?] { _anys("sparse") }

          public var must: any Node { _any("must") }
        }
        """)
  }
}
