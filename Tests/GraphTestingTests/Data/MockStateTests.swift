import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct MockStateTests {
  /// A shop in which a cart's note can be changed and lines can be added.
  private func endpoint() throws -> MockEndpoint {
    let store = MockStore()
    var resolvers = ResolverTable()
    resolvers["Mutation", "cartNoteUpdate"] = { context in
      let id = context.arguments["cartId"]?.text ?? ""
      store.update("Cart", id: id) { $0["note"] = context.arguments["note"] }
      return .json(["cart": ["id": .string(id)]])
    }
    resolvers["Mutation", "cartLinesAdd"] = { context in
      let id = context.arguments["cartId"]?.text ?? ""
      store.update("Cart", id: id) { cart in
        guard case .array(let added)? = context.arguments["lines"] else { return }
        var lines: [JSON] = []
        if case .array(let present)? = cart["lines"] { lines = present }
        for line in added {
          lines.append(["id": .string("line-\(lines.count)"), "quantity": line["quantity"] ?? 1])
        }
        cart["lines"] = .array(lines)
      }
      return .json(["cart": ["id": .string(id)]])
    }
    return try MockEndpoint(schema: Shop.schema, store: store, resolvers: resolvers)
  }

  @Test func aMutationIsSeenByLaterQueries() async throws {
    let endpoint = try endpoint()
    let created = try await endpoint.data("mutation { cartCreate { cart { id note } } }")
    let id = try #require(created.at("cartCreate.cart.id"))
    let changed = try await endpoint.data(
      """
      mutation($id: ID!) { cartNoteUpdate(cartId: $id, note: "ring twice") {
        cart { id note } userErrors { message } } }
      """, ["id": id])
    #expect(changed.at("cartNoteUpdate.cart.note") == "ring twice")
    #expect(changed.at("cartNoteUpdate.userErrors")?.count == 0)
    let read = try await endpoint.data("query($id: ID!) { cart(id: $id) { id note } }", ["id": id])
    #expect(read.at("cart") == ["id": id, "note": "ring twice"])
    let node = try await endpoint.data(
      "query($id: ID!) { node(id: $id) { ... on Cart { note } } }", ["id": id])
    #expect(node.at("node.note") == "ring twice")
  }

  @Test func repeatedMutationsAppendLines() async throws {
    let endpoint = try endpoint()
    let add = """
      mutation($n: Int!) { cartLinesAdd(cartId: "c", lines: [{ merchandiseId: "m", quantity: $n }]) {
        cart { lines { id quantity merchandise { title } } } } }
      """
    _ = try await endpoint.data(add, ["n": 2])
    let data = try await endpoint.data(add, ["n": 5])
    #expect(data.at("cartLinesAdd.cart.lines")?.count == 2)
    #expect(data.at("cartLinesAdd.cart.lines[1].quantity") == 5)
    #expect(data.at("cartLinesAdd.cart.lines[0].merchandise.title")?.text != nil)
  }

  @Test func removedObjectIsGeneratedAgain() async throws {
    let store = MockStore()
    let endpoint = try MockEndpoint(schema: Shop.schema, store: store)
    store.save("Shop", id: "gid://mock/Shop/1", ["name": "Saved"])
    let query = "{ node(id: \"gid://mock/Shop/1\") { ... on Shop { name } } }"
    #expect(try await endpoint.data(query).at("node.name") == "Saved")
    store.remove("Shop", id: "gid://mock/Shop/1")
    #expect(try await endpoint.data(query).at("node.name") != "Saved")
  }

  @Test func resolverReceivesItsObject() async throws {
    var resolvers = ResolverTable()
    resolvers["Product", "title"] = { context in
      .json(.string("\(context.mockObject?.typeName ?? "") \(context.mockObject?.id ?? "")"))
    }
    let endpoint = try MockEndpoint(schema: Shop.schema, resolvers: resolvers)
    let data = try await endpoint.data("{ product(by: { id: \"7\" }) { title } }")
    #expect(data.at("product.title") == "Product 7")
  }
}
