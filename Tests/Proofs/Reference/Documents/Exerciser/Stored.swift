import GraphStore

@testable import GraphQLRuntime

/// One store for the responses to all queries, which do not contradict each other.
final class Stored {
  private var store: Graph.Store?
  private var reads: [() throws -> String?] = []

  /// Writes a response, and reads it and some of the earlier ones again.
  ///
  /// - Returns: what is wrong, for each that was read; empty texts for data that is complete and equal, and nil for
  ///   data of which a part is missing.
  func check<Root: Hashable>(
    _ operation: GraphQL.Operation<Root>, _ text: String
  ) async throws -> [String?] {
    guard let schema = operation.content.schema else { fatalError("the operation has no schema") }
    let store = store ?? Graph.Store(inMemory: schema)
    self.store = store
    let response = try operation.response(from: Array(text.utf8))
    try await store.write(response, of: operation)
    let read = { () -> String? in
      let stored = try store.read(operation)
      guard let data = stored.data else {
        return stored.missing.isEmpty ? "there is no data" : nil
      }
      return data == response.data
        ? "" : "\(operation.document)\n\(text)\nwas sent, and \(data) is stored"
    }
    let count = reads.count
    let others = Set([count - 1, count / 2, count / 3]).filter(reads.indices.contains)
    reads.append(read)
    return try [read()] + others.map { try reads[$0]() }
  }
}
