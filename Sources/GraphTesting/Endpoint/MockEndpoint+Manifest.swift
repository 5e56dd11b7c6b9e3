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
    var writer = JSONWriter(style: .indented(by: 2))
    writer.beginObject()
    writer.key("format")
    writer.string("apollo-persisted-query-manifest")
    writer.key("version")
    writer.int(1)
    writer.key("operations")
    writer.beginArray()
    for (text, operation) in operations {
      writer.beginObject()
      for (key, value) in [
        ("id", SHA256.hexDigest(text)), ("body", text), ("name", operation.name),
        ("type", operation.kind.rawValue),
      ] {
        writer.key(key)
        writer.string(value)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.finish() + [UInt8(ascii: "\n")]
  }

  /// Adds documents by their SHA-256 hash, so that requests may have the hash alone from the beginning.
  public func addTrustedDocuments(_ texts: [String]) {
    let documents = texts.map { (SHA256.hexDigest($0), $0) }
    state.withLock { state in
      for (hash, text) in documents { state.persisted[hash] = text }
    }
  }
}
