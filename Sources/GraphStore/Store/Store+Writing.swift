import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph.Store {
  /// Runs `operation` on the background writer, in the order of the calls, and commits what it did.
  ///
  /// - Returns: the result of `operation`, after the commit. Only a Sendable value can be returned.
  /// - Throws: errors of `operation`; then all of its changes are undone.
  @discardableResult
  public func write<Result: Sendable>(
    _ operation: @escaping @Sendable (Graph.Transaction) throws -> Result
  ) async throws -> Result {
    try await writer.perform(operation)
  }

  /// A text up to this number of bytes is written in a few milliseconds.
  private static let shortWrite = 1 << 16

  /// Stores the objects of a response; see ``Transaction/write(_:of:)``.
  ///
  /// When this returns, the objects are in the file.
  ///
  /// - Throws: ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>
  ) async throws -> Graph.WriteSummary {
    let bytes = response.data.map { $0._stored.json.byteCount } ?? 0
    return try await write(ofBytes: bytes) { try $0.write(response, of: operation) }
  }

  private func write(
    ofBytes count: Int, _ body: @escaping @Sendable (Graph.Transaction) throws -> Graph.WriteSummary
  ) async throws -> Graph.WriteSummary {
    count <= Self.shortWrite && committed.policies.lists.isEmpty
      ? try await writer.performShort(body) : try await writer.perform(body)
  }

  /// Stores objects from JSON, off the caller's actor; see ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``; nothing was written then.
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping()
  ) async throws -> Graph.WriteSummary {
    // A deletion may be large, however short the JSON is.
    let isShort = mode == .upsert && mapping.lists.isEmpty
    return try await write(ofBytes: isShort ? json.count : .max) {
      try $0.write(json: json, as: type, mode: mode, mapping: mapping)
    }
  }
}

extension Graph.Store {
  /// Stores a value of the program's own type, or a list of them; see
  /// ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: `EncodingError`; ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Model: Encodable>(
    model: Model, as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping(), encoder: JSONEncoder = JSONEncoder()
  ) async throws -> Graph.WriteSummary {
    try await write(json: Array(encoder.encode(model)), as: type, mode: mode, mapping: mapping)
  }
}

extension Graph.Transaction {
  /// Stores the object of a draft, with the objects in it; see ``write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``: `invalidJSON` for a draft with a problem, `notAnEntity`.
  @discardableResult
  public func write<Object>(
    _ draft: GraphQL.Draft<Object>
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    // The values were checked when they were written.
    if let problem = draft.problems.first {
      throw Graph.StoreError(.invalidJSON, "\(problem)", cause: problem)
    }
    return try write(json: Array(draft.json.description.utf8), as: Object.self)
  }
}

extension Graph.Store {
  /// Stores the object of a draft, with the objects in it; see ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``: `invalidJSON` for a draft with a problem, `notAnEntity`. Nothing was written then.
  @discardableResult
  public func write<Object>(
    _ draft: GraphQL.Draft<Object>
  ) async throws -> Graph.WriteSummary {
    try await write { try $0.write(draft) }
  }
}

extension Graph.ObjectReading {
  /// A draft of a stored object, to be edited and written again; nil if there is no such object.
  ///
  /// It has the stored fields without arguments. Objects to which it leads have their key fields.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`; `invalidJSON` if a stored value does not have the type of
  ///   its field any more.
  public func draft<Object: GraphQL.AbstractResponse>(
    of type: Object.Type, key: String
  ) throws(Graph.StoreError) -> GraphQL.Draft<Object>? {
    guard let json = try json(of: type, key: key) else { return nil }
    do throws(GraphQL.SchemaViolation) {
      return try GraphQL.Draft(json: json)
    } catch {
      throw Graph.StoreError(.invalidJSON, "\(error)", cause: error)
    }
  }
}
