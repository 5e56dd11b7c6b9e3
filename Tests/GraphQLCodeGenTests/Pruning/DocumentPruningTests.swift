import GraphQLCodeGen
import Testing

@Suite struct DocumentPruningTests {
  private let schema = """
    type Query { node(kind: Kind): Node product: Product orders(filter: Filter, page: Page): [Order!]! }
    type Mutation { add(product: NewProduct!): Product }
    interface Node { id: ID! name: String }
    type Product implements Node { id: ID! name: String price: Int color: Color size: Size }
    type Order implements Node { id: ID! name: String total: Int }
    type Other { a: Int }
    enum Kind { A B }
    enum Color { RED }
    enum Size { SMALL }
    input Filter { text: String kind: Kind }
    input Page { first: Int }
    input NewProduct { name: String! color: Color }
    """

  @Test func selectedFieldsAndTheirTypesAreKept() throws {
    let module = try Generation(
      schema, usedBy: "",
      document: "query Q { product { color ...Name } } fragment Name on Product { name }")
    #expect(Set(module.keptTypes) == ["Color", "Product", "Query"])
    #expect(
      Set(module.keptFields) == ["Product.color", "Product.id", "Product.name", "Query.product"])
    #expect(module.table.first == ">Query - -")
    #expect(module.declaration("public enum Color") != nil)
    #expect(module.declaration("public enum Size") == nil)
  }

  @Test func theObjectsOfAnInterfaceAreKeptWithItsFields() throws {
    let module = try Generation(
      schema, usedBy: "", document: "query Q { node { name ... on Order { total } } }")
    #expect(module.keptTypes == ["Node", "Order", "Product", "Query"])
    #expect(
      Set(module.keptFields) == [
        "Node.id", "Node.name", "Order.id", "Order.name", "Order.total", "Product.id",
        "Product.name",
        "Query.node",
      ])
  }

  /// The generator adds a fragment for the keys of `friend`, whose type is then in two places.
  @Test func theObjectsOfAnInterfaceWithAnAddedFragmentAreKept() throws {
    let module = try Generation(
      """
      type Query { u: U }
      interface N { id: ID! secret: String }
      union U = A | B
      type A implements N { id: ID! secret: String friend: N }
      type B implements N { id: ID! secret: String }
      type C implements N { id: ID! secret: String }
      """, usedBy: "",
      document: "query Q { u { ... on A { friend { secret } } } } query Other { u { __typename } }")
    #expect(module.keptTypes.contains("C"))
  }

  /// The response of an object has the keys of the others.
  @Test func addedFieldsAreKeptInAllTypes() throws {
    let module = try Generation(
      """
      type Query { node: Node }
      interface Node { id: ID! }
      type A implements Node { id: ID! }
      type B implements Node { id: ID! name: String }
      type C implements Node { id: ID! }
      """,
      configuration: Configuration(namespace: "Shop", types: ["B": Located(TypePolicy(key: []))]),
      usedBy: "", document: "query Q { node { ... on B { name } } }")
    #expect(module.keptFields.contains("B.id"))
  }

  /// The type of the field there decides whether `... on Named` certainly applies.
  @Test func theFieldIsKeptInInterfacesThatImplementItsOwn() throws {
    let module = try Generation(
      """
      type Query { node: Node }
      interface Node { owner: Owner }
      interface Resource implements Node { id: ID! owner: Company }
      interface Owner { id: ID! }
      interface Company implements Owner & Named { id: ID! name: String }
      interface Named { name: String }
      type Car implements Resource & Node { id: ID! owner: Garage }
      type Garage implements Company & Owner & Named { id: ID! name: String }
      """, usedBy: "",
      document: "query Q { node { owner { ... on Named { name } } ... on Resource { id } } }")
    #expect(module.keptTypes.contains("Company"))
    #expect(module.keptFields.contains("Resource.owner"))
  }

  @Test func theTypesOfVariablesAreKept() throws {
    let module = try Generation(
      schema, usedBy: "Filter text",
      document: """
        query Q($kind: Kind!, $filter: [Filter!]) { node(kind: $kind) { id } }
        mutation M($product: NewProduct!) { add(product: $product) { id } }
        """)
    for name in ["Kind", "Filter", "NewProduct"] {
      #expect(module.text.contains(" \(name): "), "\(name)")
    }
    #expect(!module.text.contains("Page"))
    #expect(module.table.first == ">Query Mutation -")
  }

  @Test func withoutBuildersOnlyDocumentsUseFields() throws {
    let module = try Generation(
      schema, configuration: Configuration(namespace: "Shop", builders: false),
      usedBy: "orders total Order name price buildMutation Size",
      document: "query Q($kind: Kind) { node(kind: $kind) { id } product { color } }")
    #expect(module.keptTypes == ["Node", "Order", "Product", "Query", "Color", "Kind", "Size"])
    #expect(
      Set(module.keptFields) == [
        "Node.id", "Order.id", "Product.color", "Product.id", "Query.node", "Query.product",
      ])
    #expect(module.table.first == ">Query - -")
  }

  @Test func modulesWithoutBuildersHaveNoClassesOfTypes() throws {
    let module = try Generation(
      schema, configuration: Configuration(namespace: "Shop", builders: false))
    for name in ["enum Kind", "enum Color", "struct Filter", "struct NewProduct"] {
      #expect(module.declaration("public \(name)") != nil, "\(name)")
    }
    let classes = module.text.split(separator: "\n").filter { $0.contains(" class ") }
    #expect(
      classes.map { $0.contains("override") || $0.contains(" _") } == [true, true, true, true])
    let functions = module.text.split(separator: "\n").filter {
      $0.contains("func ") && !$0.contains("func _position(")
    }
    #expect(functions == ["  private static func _schema() -> GraphQL.SchemaTable {"])
    #expect(module.table.contains("@Order Node key:id"))
    #expect(module.output.files.map(\.name) == Configuration(namespace: "Shop").expectedFileNames)
  }

  @Test func documentsDoNotPruneOnTheirOwn() throws {
    let module = try Generation(schema, document: "query Q { product { id } }")
    #expect(module.output.pruning == nil)
    #expect(module.text.contains("Order"))
  }

  @Test func unknownNamesAreLeftToTheValidation() throws {
    let module = try Generation(
      schema, usedBy: "",
      document: "query Q($a: None) { nothing { id } product { ... on None { a } ...F } } query {")
    #expect(module.keptTypes == ["Product", "Query"])
  }
}
