import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting
import TestSupport
import Testing
import VersionedAPI

@testable import GraphOutbox

/// Conflicts of a type whose version field is only in `graphql-generator.json`, from the generated
/// mutation to the server's record.
struct VersionFieldTests {
  private struct Page {
    var title = "old"
    var revision = 1
    var log: [String] = []
  }

  private let page = Locked(Page())
  private let endpoint: MockEndpoint
  private let store: Graph.Store
  private let key = GraphQL.EntityKey(typeName: "Page", key: "1")

  init() throws {
    let file = URL(filePath: #filePath).appending(
      path: "../../../../Tools/VersionedAPI/schema.graphqls"
    )
    .standardizedFileURL
    let schema = try ServiceSchema(
      sources: [Source(name: "schema.graphqls", bytes: Array(Data(contentsOf: file)))])
    var resolvers = ResolverTable()
    resolvers["Mutation", "pageRename"] = { [page] context in
      let input = context.arguments["input"] ?? .null
      return page.withLock { page in
        let isCurrent = input["revision"] == JSON(page.revision)
        if isCurrent, case .string(let title)? = input["title"] {
          page.title = title
          page.revision += 1
          page.log.append(title)
        }
        return .json([
          "page": ["id": "1", "title": .string(page.title), "revision": JSON(page.revision)],
          "userErrors": isCurrent ? [] : [["message": "changed", "code": "STALE_OBJECT"]],
        ])
      }
    }
    endpoint = try MockEndpoint(schema: schema, resolvers: resolvers)
    store = try Graph.Store(schema: Wiki.schema, file: try TemporaryFolder().file())
  }

  private func outbox(_ conflicts: [String: Graph.ConflictRule] = [:]) async throws -> Graph.Outbox
  {
    let client = Graph.Client(
      endpoint: try #require(URL(string: "https://wiki.example/graphql")), transport: endpoint)
    var configuration = Graph.Outbox.Configuration()
    configuration.backoff = Graph.Backoff(base: .zero, maximum: .zero)
    configuration.conflicts = conflicts
    configuration.startsPaused = true
    return try await Graph.Outbox(store: store, client: client, configuration: configuration)
  }

  private func rename(_ title: String, on revision: Int) -> Wiki.MutationQuery {
    Wiki.buildMutation(named: "Rename") {
      $0.pageRename(input: Wiki.PageInput(id: "1", title: title, revision: revision)) {
        $0.page { $0.id().title().revision() }.userErrors { $0.message().code() }
      }
    }
  }

  private func send(_ outbox: Graph.Outbox) async {
    await outbox.resume()
    await outbox.flush()
  }

  @Test func aRejectedStaleWriteStoresTheServersObject() async throws {
    page.withLock { $0 = Page(title: "theirs", revision: 7) }
    let outbox = try await outbox()
    let id = try await outbox.queue(rename("mine", on: 1), for: key)
    await send(outbox)
    let receipt = try #require(try outbox.receipts().first)
    #expect(receipt.operation == id && receipt.state == .rejected)
    #expect(receipt.reason?.code == "STALE_OBJECT")
    let stored = try #require(try store.object(Wiki.Page.self, key: "1"))
    #expect(stored.title == "theirs" && stored.revision == 7)
    #expect(page.withLock { $0.log } == [])
  }

  @Test func writesQueuedForOneVersionDoNotConflict() async throws {
    let outbox = try await outbox()
    for title in ["a", "b", "c"] {
      try await outbox.queue(rename(title, on: 1), for: key)
    }
    await send(outbox)
    #expect(page.withLock { $0.log } == ["a", "b", "c"])
    #expect(try outbox.receipts().map(\.state) == [.received, .received, .received])
    #expect(try store.object(Wiki.Page.self, key: "1")?.revision == 4)
  }

  /// The rule does not name a field, so the field of the table is used.
  @Test func theLocalWriteIsRetriedWithTheServersVersion() async throws {
    page.withLock { $0 = Page(title: "theirs", revision: 7) }
    let outbox = try await outbox(["Page": Graph.ConflictRule(policy: .retryLocal)])
    let id = try await outbox.queue(rename("mine", on: 1), for: key)
    await send(outbox)
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(page.withLock { $0.log } == ["mine"])
    #expect(endpoint.requests.count == 2)
    #expect(try store.object(Wiki.Page.self, key: "1")?.revision == 8)
  }

  @Test func theSchemaTableEnablesSaves() async throws {
    let outbox = try await outbox()
    let id = try await outbox.queueSave(rename("a", on: 1), for: key)
    #expect(try await outbox.queueSave(rename("b", on: 1), for: key) == id)
    await send(outbox)
    #expect(page.withLock { $0.log } == ["b"])
  }
}
