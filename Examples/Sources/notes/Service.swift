import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting

/// The service: a mock endpoint in the process, with a network that can fail.
struct Service: Graph.Transport {
  private let endpoint: MockEndpoint
  private let store = MockStore()

  init() throws {
    let file = URL(filePath: #filePath).appending(path: "../../NotesAPI/schema.graphqls")
    let bytes = try Array(Data(contentsOf: file.standardizedFileURL))
    var resolvers = ResolverTable()
    resolvers["Query", "notes"] = { [store] in Self.page(of: store, $0) }
    resolvers["Query", "note"] = { [store] in
      guard case .string(let id)? = $0.arguments["id"], Self.order(store).contains(id) else {
        return .null
      }
      return .json(["id": .string(id)])
    }
    resolvers["Mutation", "addNote"] = { [store] in Self.add($0, to: store) }
    resolvers["Mutation", "deleteNote"] = { [store] in Self.delete($0, from: store) }
    endpoint = try MockEndpoint(
      schema: try ServiceSchema.read([Source(name: "schema.graphqls", bytes: bytes)]),
      store: store, resolvers: resolvers)
    for (number, title) in Self.titles.enumerated().reversed() {
      Self.insert("note-\(number + 1)", title, "All about: \(title).", store)
    }
    isOnline = true
  }

  /// Whether requests reach the service.
  var isOnline: Bool {
    get { store.object("Network", id: "network")?["isOnline"] == true }
    nonmutating set { store.save("Network", id: "network", ["isOnline": .bool(newValue)]) }
  }

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    guard isOnline else {
      throw Graph.TransportError(.cannotConnect, message: "there is no network")
    }
    return try await endpoint.send(request)
  }

  private static let titles = [
    "Buy hats", "Call Ada", "Fix the roof", "Learn to dance", "Paint the door", "Read the map",
    "Water the fern",
  ]

  // MARK: Resolvers

  private static func order(_ store: MockStore) -> [String] {
    guard case .array(let ids)? = store.object("Order", id: "notes")?["ids"] else { return [] }
    return ids.compactMap { if case .string(let id) = $0 { id } else { nil } }
  }

  private static func setOrder(_ ids: [String], _ store: MockStore) {
    store.save("Order", id: "notes", ["ids": .array(ids.map { .string($0) })])
  }

  private static func insert(_ id: String, _ title: String, _ text: String, _ store: MockStore) {
    store.save("Note", id: id, ["title": .string(title), "text": .string(text)])
    setOrder([id] + order(store), store)
  }

  private static func page(of store: MockStore, _ context: FieldContext) -> Resolved {
    let all = order(store)
    var start = 0
    if case .string(let cursor)? = context.arguments["after"] {
      start = all.firstIndex(of: cursor).map { $0 + 1 } ?? 0
    }
    guard case .number(let first)? = context.arguments["first"], let count = first.int32 else {
      return .null
    }
    let ids = all.dropFirst(start).prefix(Int(count))
    return .json([
      "nodes": .array(ids.map { ["id": .string($0)] }),
      "pageInfo": [
        "hasNextPage": .bool(start + ids.count < all.count),
        "endCursor": ids.last.map { .string($0) } ?? nil,
      ],
    ])
  }

  private static func add(_ context: FieldContext, to store: MockStore) -> Resolved {
    guard case .string(let title)? = context.arguments["title"],
      case .string(let text)? = context.arguments["text"],
      case .string(let key)? = context.arguments["idempotencyKey"]
    else { return .null }
    if title.isEmpty { return .json(["note": nil, "problem": "A note needs a title."]) }
    if let known = store.object("Key", id: key)?["note"] { return .json(["note": ["id": known]]) }
    let id = "note-\(order(store).count + 1)-\(key.suffix(4))"
    insert(id, title, text, store)
    store.save("Key", id: key, ["note": .string(id)])
    return .json(["note": ["id": .string(id)], "problem": nil])
  }

  private static func delete(_ context: FieldContext, from store: MockStore) -> Resolved {
    guard case .string(let id)? = context.arguments["id"], order(store).contains(id) else {
      return .json(["deletedId": nil, "problem": "There is no such note."])
    }
    setOrder(order(store).filter { $0 != id }, store)
    store.remove("Note", id: id)
    return .json(["deletedId": .string(id), "problem": nil])
  }
}
