import GraphJSON

/// `apollo-persisted-query-manifest`: Apollo's format for the operations that a service accepts (trusted
/// documents).
package enum ApolloManifest {
  package static let format = "apollo-persisted-query-manifest"
  package static let version = 1

  /// An entry of the manifest.
  package struct Operation {
    let id: String
    let name: String
    let kind: OperationType
    let text: String

    /// - Parameter text: The document as it is sent.
    package init(id: String, name: String, kind: OperationType, text: String) {
      self.id = id
      self.name = name
      self.kind = kind
      self.text = text
    }
  }

  /// The bytes of a manifest, in the order of the operations.
  package static func bytes(_ operations: [Operation]) -> [UInt8] {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.beginObject()
    writer.key("format")
    writer.string(format)
    writer.key("version")
    writer.int(version)
    writer.key("operations")
    writer.beginArray()
    for operation in operations {
      writer.beginObject()
      for (key, value) in [
        ("id", operation.id), ("body", operation.text), ("name", operation.name),
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
}
