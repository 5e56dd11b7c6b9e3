import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// The two kinds of store; everything that is not about files applies to both. The tests of
/// GraphCompatibility use it as well.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
  case memory, file

  var testDescription: String { "\(self)" }

  /// A new store.
  func make(_ configuration: Graph.Store.Configuration = .init()) throws -> Graph.Store {
    switch self {
    case .memory: Graph.Store(inMemory: Sample.schema, configuration: configuration)
    case .file:
      try Graph.Store(
        schema: Sample.schema, file: try TemporaryFolder().file(), configuration: configuration)
    }
  }

  /// A new store with the outbox's tables, if it has a file.
  func makeWithOverlays(
    _ configuration: Graph.Store.Configuration = .init()
  ) async throws -> Graph.Store {
    let store = try make(configuration)
    if self == .file {
      try await store.write {
        try $0.register(
          extensionTables: $0.createOverlayTables(),
          unsentWork: "SELECT 1 AS id, 2 AS entity, 3 AS name, 4 AS state WHERE 0")
      }
    }
    return store
  }
}

extension Graph.Store {
  /// Stores a response to `query`: the JSON of `data`, and errors if there are any.
  @discardableResult
  func write<Query: GraphQL.OperationBuilder>(
    _ query: Query, _ data: String, errors: String? = nil
  ) async throws -> Graph.WriteSummary {
    let operation = try query.operation()
    let errors = errors.map { ",\"errors\":\($0)" } ?? ""
    let response = try operation.response(from: Array("{\"data\":\(data)\(errors)}".utf8))
    return try await write(response, of: operation)
  }

  func read<Query: GraphQL.OperationBuilder>(
    _ query: Query
  ) throws -> Graph.StoredResponse<Query.Response> {
    try read(query.operation())
  }

  /// The text of a stored record.
  func text(_ key: String) throws -> String? {
    guard let key = GraphQL.EntityKey(key), let json = try committed.record(key) else { return nil }
    return String(decoding: json.source(at: 0), as: UTF8.self)
  }
}

extension Graph.StoredResponse {
  /// The missing paths as text: `club.name`.
  var missingText: [String] {
    missing.map { $0.map(\.description).joined(separator: ".") }
  }
}
