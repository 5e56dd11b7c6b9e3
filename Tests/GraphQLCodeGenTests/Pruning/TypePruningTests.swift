import GraphQLCodeGen
import Testing

@Suite struct TypePruningTests {
  private let schema = """
    schema { query: Query mutation: Mutation subscription: Subscription }
    type Query { node: Node search: Result named: Named deep: Deep }
    type Mutation { id: ID }
    type Subscription { id: ID }
    interface Node { id: ID! }
    interface Named { name: String }
    type Product implements Node & Named { id: ID! name: String price: Int }
    type Order implements Node { id: ID! total: Int }
    union Result = Product | Order
    type Deep { deep: Deep name: String leaf: Leaf }
    type Leaf { value: Int }
    """

  @Test(arguments: [
    ("buildQuery", ["Query"]),
    ("buildMutation id", ["Mutation"]),
    ("buildSubscription", ["Subscription"]),
    ("MutationQuery", ["Mutation"]),
    ("let root: Shop.Query", ["Query"]),
    ("", []),
  ])
  func rootsAreKeptByTheirBuildFunctionsAndClasses(source: String, roots: [String]) throws {
    #expect(try Generation(schema, usedBy: source).keptTypes == roots)
  }

  @Test func removesUnusedRootTypes() throws {
    let module = try Generation(schema, usedBy: "buildQuery node id")
    #expect(module.table.first == ">Query - -")
    #expect(module.declaration("public static func buildQuery") != nil)
    #expect(module.declaration("public static func buildMutation") == nil)
  }

  @Test func handlesCyclicTypes() throws {
    let module = try Generation(schema, usedBy: "buildQuery deep leaf value")
    #expect(module.keptTypes == ["Deep", "Leaf", "Query"])
    #expect(module.keptFields == ["Deep.deep", "Deep.leaf", "Leaf.value", "Query.deep"])
  }

  @Test(arguments: ["let product: Shop.Product", "func f(_: ProductQuery)"])
  func keepsTypesNamedInSource(source: String) throws {
    let module = try Generation(schema, usedBy: source + " price")
    #expect(module.keptTypes == ["Product"])
    #expect(module.keptFields == ["Product.id", "Product.price"])
  }

  @Test func conditionsKeepTheirTypes() throws {
    let module = try Generation(schema, usedBy: "buildQuery node { $0.onOrder { $0.total() } }")
    #expect(module.keptTypes == ["Node", "Order", "Query"])
    let conditions = module.declaration("public final class NodeQuery")
    #expect(conditions?.contains("func onOrder") == true)
    #expect(conditions?.contains("func onProduct") == false)
  }

  @Test func removesConformancesToPrunedProtocols() throws {
    let module = try Generation(schema, usedBy: "buildQuery node onProduct price")
    #expect(
      module.text.contains("class Product: _Response, Node, Identifiable, @unchecked Sendable {"))
  }

  @Test func keepsObjectsThatMayBeCast() throws {
    let source = "buildQuery node id; if let named = node as? any Shop.Named { named.name }"
    let module = try Generation(schema, usedBy: source)
    #expect(module.keptTypes == ["Named", "Node", "Product", "Query"])
    #expect(
      module.text.contains(
        "class Product: _Response, Named, Node, Identifiable, @unchecked Sendable {"))
    // No value is cast to a protocol that the sources do not name.
    let both = try Generation(schema, usedBy: "buildQuery node named id name")
    #expect(both.keptTypes == ["Named", "Node", "Query"])
  }

  @Test func tableContainsOnlyKeptTypes() throws {
    let module = try Generation(schema, usedBy: "buildQuery search onOrder total deep leaf value")
    #expect(
      module.table == [
        ">Query - -", "@Deep", "deep Deep", "leaf Leaf", "@Leaf", "value Int",
        "@Order Node key:id", "id ID!", "total Int", "@Query", "search Result", "deep Deep",
        "|Result Order Product",
      ])
  }
}
