import GraphJSON
import GraphQLRuntime
import GraphStore

/// Stores a response using its operation.
typealias ResponseWriter = @Sendable (Graph.Transaction, [UInt8]) throws -> Graph.WriteSummary

extension QueueWriter {
  /// Ends a delivered operation: its response's objects are stored, its receipt is written and its
  /// row is deleted.
  ///
  /// A response that does not have the schema's types is ignored: the server has nevertheless
  /// carried out the operation.
  ///
  /// - Parameters:
  ///   - response: the response, if it is not stored with the operation.
  ///   - write: nil if only the operation's text is left.
  ///   - rule: the conflict rule of the entity's type.
  mutating func receive(
    _ operation: QueuedOperation, response: String? = nil, _ write: ResponseWriter?,
    _ rule: Graph.ConflictRule? = nil
  ) throws {
    let response = response ?? operation.response
    let summary = try store(response, of: operation, write)
    if let rule { try carryVersion(of: operation, by: rule) }
    try finish(
      operation, .received, key: key(of: operation, in: summary, Array(response.utf8)))
  }

  /// Stores a response's objects; none of a response that does not have the schema's types.
  func store(
    _ response: String, of operation: QueuedOperation, _ write: ResponseWriter?
  ) throws -> Graph.WriteSummary {
    let bytes = Array(response.utf8)
    do {
      if let write { return try write(transaction, bytes) }
      if let known = transaction.mutation(
        operation.document, name: operation.name, variables: operation.variables)
      {
        return try transaction.write(known.response(from: bytes), of: known)
      }
      guard !operation.root.isEmpty else { return Graph.WriteSummary() }
      return try transaction.write(
        response: try GraphQL.Operation(text: operation).response(from: bytes),
        rootType: operation.root)
    } catch is GraphQL.ResponseFailure {
      return Graph.WriteSummary()
    } catch let error as Graph.StoreError where error.code == .invalidJSON {
      return Graph.WriteSummary()
    }
  }

  /// The server's key of the object that the operation created: among the response's objects of its
  /// type, the least nested one. If the response could not be stored as an object of that type, because the schema has
  /// another form now, the key is read from its text.
  private func key(
    of operation: QueuedOperation, in summary: Graph.WriteSummary, _ response: [UInt8]
  ) -> String? {
    guard !operation.creates.isEmpty, let json = try? JSON(parsing: response) else { return nil }
    let met = [summary.inserted, summary.updated, summary.unchanged].joined()
    let keys = Set(
      met.lazy.filter { transaction.isType($0.typeName, possibleFor: operation.entity.typeName) }
        .map { ExactKey($0.key) })
    var level = [json["data"] ?? .null]
    while !level.isEmpty {
      var below: [JSON] = []
      for value in level {
        switch value {
        case .string(let text) where keys.contains(ExactKey(text)): return text
        case .array(let elements): below += elements
        case .object(let object): below += object.members.map(\.value)
        default: continue
        }
      }
      level = below
    }
    return transaction.key(ofType: operation.entity.typeName, inResponse: response)
  }
}

extension GraphQL.Operation where Root == GraphQL.AbstractResponse {
  /// A queued operation in its frozen form.
  init(text operation: QueuedOperation, files: [QueuedFile] = []) {
    self.init(
      kind: .mutation, name: operation.name.isEmpty ? nil : operation.name,
      document: operation.document, variables: operation.variables,
      uploads: files.map(\.upload))
  }
}
