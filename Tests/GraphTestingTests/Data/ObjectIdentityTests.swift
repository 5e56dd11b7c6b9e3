import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct ObjectIdentityTests {
  private let endpoint: MockEndpoint

  init() throws { endpoint = try MockEndpoint(schema: Shop.schema) }

  @Test func nodeFindsPreviouslyReturnedObjects() async throws {
    let listed = try await endpoint.data(
      "{ products(first: 1, after: \"cursor-3\") { nodes { id title vendor } } }")
    let id = try #require(listed.at("products.nodes[0].id"))
    let found = try await endpoint.data(
      "query($id: ID!) { node(id: $id) { __typename id ... on Product { title vendor } } }",
      ["id": id])
    #expect(found.at("node.__typename") == "Product")
    #expect(found.at("node.title") == listed.at("products.nodes[0].title"))
    #expect(found.at("node.vendor") == listed.at("products.nodes[0].vendor"))
  }

  @Test func nodesKeepsTheOrderAndReturnsNullForUnknowns() async throws {
    let data = try await endpoint.data(
      """
      { nodes(ids: ["gid://mock/Order/5", "nothing", "gid://mock/Shop/1", "gid://mock/Money/1"]) {
        __typename id } }
      """)
    #expect(data.at("nodes[0].__typename") == "Order")
    #expect(data.at("nodes[1]") == .null)
    #expect(data.at("nodes[2].id") == "gid://mock/Shop/1")
    // A type that is not a Node.
    #expect(data.at("nodes[3]") == .null)
  }

  @Test func differentFieldsReturnTheSameObject() async throws {
    let data = try await endpoint.data(
      """
      { products(first: 3) { nodes { id title } edges { node { id title } } }
        again: products(last: 25, reverse: true) { nodes { id title } } }
      """)
    #expect(data.at("products.nodes[1]") == data.at("products.edges[1].node"))
    #expect(data.at("products.nodes[0]") == data.at("again.nodes[24]"))
  }

  @Test func returnedObjectsMatchTheArguments() async throws {
    let data = try await endpoint.data(
      """
      { collection(handle: "hats") { handle } other: collection(handle: "coats") { id handle }
        product(by: { sku: "A-1" }) { id } cart(id: "my-cart") { id }
        shop { metafield(namespace: "a", key: "b") { namespace key } } }
      """)
    #expect(data.at("collection.handle") == "hats")
    #expect(data.at("other.handle") == "coats")
    #expect(data.at("cart.id") == "my-cart")
    #expect(data.at("shop.metafield") == ["namespace": "a", "key": "b"])
    #expect(data.at("product.id")?.text != nil)
  }

  @Test func identifierOfAnotherTypeReturnsNull() async throws {
    let data = try await endpoint.data("{ cart(id: \"gid://mock/Product/1\") { id } }")
    #expect(data.at("cart") == .null)
  }
}
