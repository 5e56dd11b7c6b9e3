import GraphClient
import GraphJSON
import GraphQLSchema

extension MockEndpoint {
  /// The manifest of all valid operations with a name that were requested so far: for a service that accepts only
  /// documents that it knows.
  ///
  /// Tests that request every operation of an app record the manifest of its builders. The id of an operation is the
  /// SHA-256 hash of its text. The bytes are the same for the same operations in any order.
  ///
  /// - Returns: `apollo-persisted-query-manifest`, version 1 (JSON).
  public func manifest() -> [UInt8] {
    let operations = state.withLock { $0.operations }
      .sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }
    return ApolloManifest.bytes(
      operations.map { text, operation in
        ApolloManifest.Operation(
          id: SHA256.hexDigest(text), name: operation.name, kind: operation.kind, text: text)
      })
  }

  /// Adds documents by their SHA-256 hash, so that requests may have the hash alone from the beginning.
  public func addTrustedDocuments(_ texts: [String]) {
    let documents = texts.map { (SHA256.hexDigest($0), $0) }
    state.withLock { state in
      for (hash, text) in documents { state.persisted[hash] = text }
    }
  }
}
