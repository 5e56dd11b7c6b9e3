import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// A manifest of trusted documents: the operations that a service accepts from an app.
struct ManifestFile {
  /// The name of a manifest next to generated files.
  static let name = "operations.json"
  private static let apolloFormat = "apollo-persisted-query-manifest"

  /// An operation of a manifest.
  struct Operation: Equatable {
    let id: String
    /// nil in Relay's format.
    let name: String?
    let text: String
    /// The position of the text in the manifest.
    let position: SourcePosition
  }

  /// The bytes of a manifest, in the order of the operations.
  static func bytes(
    _ operations: [PrintedOperation], format: OperationOptions.ManifestFormat
  ) -> [UInt8] {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.beginObject()
    switch format {
    case .apollo:
      writer.key("format")
      writer.string(apolloFormat)
      writer.key("version")
      writer.int(1)
      writer.key("operations")
      writer.beginArray()
      for operation in operations {
        writer.beginObject()
        for (key, value) in [
          ("id", operation.hash), ("body", operation.text), ("name", operation.name),
          ("type", operation.kind.rawValue),
        ] {
          writer.key(key)
          writer.string(value)
        }
        writer.endObject()
      }
      writer.endArray()
    case .relay:
      for operation in operations {
        writer.key(operation.hash)
        writer.string(operation.text)
      }
    }
    writer.endObject()
    return writer.finish() + [UInt8(ascii: "\n")]
  }

  /// The operations of a manifest in either format.
  static func operations(in source: Source) throws(Diagnostics) -> [Operation] {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source.bytesOfJSON)
    } catch {
      throw problem(error.message, at: source.position(from: error.offset, to: error.offset + 1))
    }
    let root = document.root
    if root["format"]?.string == apolloFormat, let elements = root["operations"]?.array {
      var operations: [Operation] = []
      for element in elements {
        guard let id = element["id"]?.string, let body = element["body"], let text = body.string
        else {
          throw problem(
            "An operation needs an id and a body.", at: position(of: element, in: source))
        }
        operations.append(
          Operation(
            id: id, name: element["name"]?.string, text: text,
            position: position(of: body, in: source)))
      }
      return operations
    }
    var operations: [Operation] = []
    for member in root.members ?? [] {
      guard let text = member.value.string else {
        operations = []
        break
      }
      operations.append(
        Operation(
          id: member.key, name: nil, text: text, position: position(of: member.value, in: source)))
    }
    if !operations.isEmpty || root.members?.isEmpty == true { return operations }
    throw problem(
      "This is neither a manifest of Apollo nor a map of Relay from ids to documents.",
      at: position(of: root, in: source))
  }

  private static func position(of node: JSONNode, in source: Source) -> SourcePosition {
    let range = node.document.sourceRange(at: node.index)
    return source.position(from: range.lowerBound, to: range.upperBound)
  }

  private static func problem(_ message: String, at position: SourcePosition) -> Diagnostics {
    Diagnostics([Diagnostic(code: "manifest", message: message, at: position)])
  }
}
