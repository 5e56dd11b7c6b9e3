import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphTesting

/// A shop that remembers every effect and carries out each idempotency key once.
final class TestServer: Sendable {
  /// The effects, in order.
  final class Effects: Sendable {
    private struct State {
      var carts: [String: String] = [:]
      var log: [String] = []
    }

    private let state = Locked(State())

    var log: [String] { state.withLock { $0.log } }

    func createCart(_ key: String) -> String {
      state.withLock { state in
        if let known = state.carts[key] { return known }
        let id = "gid://Cart/\(state.carts.count + 1)"
        state.carts[key] = id
        state.log.append("create \(id)")
        return id
      }
    }

    func setNote(_ note: String, of id: String) {
      state.withLock { $0.log.append("\(id) \(note)") }
    }
  }

  let effects = Effects()
  let endpoint: MockEndpoint

  init() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../schema.graphql")
      .standardizedFileURL
    let schema = try ServiceSchema(
      sources: [Source(name: "schema.graphql", bytes: Array(Data(contentsOf: file)))])
    var resolvers = ResolverTable()
    resolvers["Mutation", "cartCreate"] = { [effects] context in
      let id = effects.createCart(text(context.arguments["idempotencyKey"]))
      return .json(["cart": ["id": .string(id), "note": nil], "userErrors": []])
    }
    resolvers["Mutation", "cartNoteUpdate"] = { [effects] context in
      let id = text(context.arguments["cartId"])
      let note = text(context.arguments["note"])
      guard note != "refused" else {
        return .json(["cart": nil, "userErrors": [["message": "no such note", "code": "INVALID"]]])
      }
      effects.setNote(note, of: id)
      return .json(["cart": ["id": .string(id), "note": .string(note)], "userErrors": []])
    }
    endpoint = try MockEndpoint(schema: schema, resolvers: resolvers)
  }

  var client: Graph.Client {
    Graph.Client(endpoint: URL(string: "https://shop.example/graphql")!, transport: endpoint)
  }
}

private func text(_ json: JSON?) -> String {
  if case .string(let text)? = json { text } else { "" }
}

extension MockFault {
  /// The response to a request whose idempotency key belongs to a request in progress.
  static var inProgress: MockFault {
    let body = """
      {"data":{"cartNoteUpdate":{"cart":null,"userErrors":[
      {"message":"Transaction in progress for item 9","code":null}]}}}
      """
    return .response(
      MockResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8)))
  }
}
