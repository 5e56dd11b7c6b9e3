import GraphClient
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The values in `graphql-generator.json` for types, and the configuration that overrides them.
struct TypeRuleTests {
  private enum Bare {
    static let schema = GraphQL.SchemaTable(
      name: "Bare",
      table: """
        >Query - -
        @Query
        note Note
        plain Plain
        @Note key:id version:revision operations:Create,Save
        id ID!
        revision Int
        @Plain key:id
        id ID!
        """,
      queries: [QueryBuilder.self, NoteBuilder.self, PlainBuilder.self],
      responses: [QueryRoot.self, Note.self, Plain.self], scalars: [])

    final class QueryBuilder: GraphQL.AbstractQuery {
      override class var schema: GraphQL.SchemaTable { Bare.schema }
    }
    final class NoteBuilder: GraphQL.AbstractQuery {
      override class var schema: GraphQL.SchemaTable { Bare.schema }
    }
    final class PlainBuilder: GraphQL.AbstractQuery {
      override class var schema: GraphQL.SchemaTable { Bare.schema }
    }
    final class QueryRoot: GraphQL.AbstractResponse, @unchecked Sendable {
      override class var schema: GraphQL.SchemaTable { Bare.schema }
    }
    final class Note: GraphQL.AbstractResponse, @unchecked Sendable {
      override class var schema: GraphQL.SchemaTable { Bare.schema }
    }
    final class Plain: GraphQL.AbstractResponse, @unchecked Sendable {
      override class var schema: GraphQL.SchemaTable { Bare.schema }
    }
  }

  private let shop: TestShop
  private let store: Graph.Store
  private let note = GraphQL.EntityKey(typeName: "Note", key: "1")

  init() throws {
    shop = try TestShop()
    store = try Graph.Store(schema: Bare.schema, file: shop.file)
  }

  private func outbox(
    _ configure: (inout Graph.Outbox.Configuration) -> Void = { _ in }
  ) async throws -> Graph.Outbox {
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    configure(&configuration)
    return try await Graph.Outbox(
      store: store, client: shop.server.client, configuration: configuration)
  }

  @Test func theSchemaTableEnablesSavesOfAType() async throws {
    let outbox = try await outbox()
    let id = try await outbox.queueSave(shop.note("a", "1"), for: note)
    #expect(try await outbox.queueSave(shop.note("b", "1"), for: note) == id)
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.queueSave(
        shop.note("a", "1"), for: GraphQL.EntityKey(typeName: "Plain", key: "1"))
    }
    #expect(error?.code == .unsupportedOperation)
  }

  @Test func theConfigurationOverridesTheSchemaTable() async throws {
    let outbox = try await outbox { $0.supportedOperations = ["Note": [], "Plain": [.save]] }
    try await outbox.queueSave(
      shop.note("a", "1"), for: GraphQL.EntityKey(typeName: "Plain", key: "1"))
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.queueSave(shop.note("a", "1"), for: note)
    }
    #expect(error?.code == .unsupportedOperation)
  }

  @Test func theVersionFieldComesFromTheSchemaTable() {
    var configuration = Graph.Outbox.Configuration()
    var rules = TypeRules(store: store, configuration)
    let rule = rules.conflictRule(ofType: "Note")
    #expect(rule?.versionField == "revision" && rule?.versionArgument == "revision")
    guard case .serverWins? = rule?.policy else {
      Issue.record("the server does not win")
      return
    }
    #expect(rules.conflictRule(ofType: "Plain")?.versionField == nil)
    configuration.conflicts = [
      "Note": Graph.ConflictRule(versionArgument: "expected", policy: .retryLocal),
      "Plain": Graph.ConflictRule(versionField: "v", policy: .retryLocal),
    ]
    rules = TypeRules(store: store, configuration)
    #expect(rules.conflictRule(ofType: "Note")?.versionField == "revision")
    #expect(rules.conflictRule(ofType: "Note")?.versionArgument == "expected")
    #expect(rules.conflictRule(ofType: "Plain")?.versionArgument == "v")
  }
}
