import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// A manifest of trusted documents: the operations that a service accepts from an app.
struct ManifestFile {
  /// The name of a manifest next to generated files.
  static let name = "operations.json"

  /// An operation of a manifest.
  struct Operation: Equatable {
    let id: String
    /// nil in Relay's format.
    let name: String?
    /// nil in Relay's format.
    let type: String?
    let text: String
    /// The position of the text in the manifest.
    let position: SourcePosition

    /// How the name or the type differs from what the text contains; nil if they are the same.
    func contradiction(in document: Document) -> String? {
      let operation = document.operations.first { name == nil || ($0.name ?? "") == name }
      guard let operation else {
        return name.map { _ in "The text has no operation of that name." }
      }
      guard let type, operation.operationType.rawValue != type else { return nil }
      return
        "The operation is a \(operation.operationType.rawValue), but its type in the manifest is \(quoted(type))."
    }

    /// Whether the id has the form of a hash, as all ids that the tool writes.
    fileprivate var hasHash: Bool { id.utf8.count == 64 && id.allSatisfy(\.isHexDigit) }
  }

  /// The bytes of a manifest, in the order of the operations.
  static func bytes(
    _ operations: [PrintedOperation], format: OperationOptions.ManifestFormat
  ) -> [UInt8] {
    switch format {
    case .apollo:
      return ApolloManifest.bytes(
        operations.map {
          ApolloManifest.Operation(id: $0.hash, name: $0.name, kind: $0.kind, text: $0.text)
        })
    case .relay:
      var writer = JSONWriter(style: .indented(by: 2))
      writer.beginObject()
      for operation in operations {
        writer.key(operation.hash)
        writer.string(operation.text)
      }
      writer.endObject()
      return writer.finish() + [UInt8(ascii: "\n")]
    }
  }

  /// Whether the bytes of a file are a manifest. Any object with strings has the form of Relay's map, so the ids have to
  /// be hashes.
  static func isManifest(_ bytes: [UInt8]) -> Bool {
    let operations = try? operations(in: Source(name: name, bytes: bytes))
    return operations?.allSatisfy(\.hasHash) == true
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
    if let key = root.repeatedKeys.first {
      throw problem(
        "The manifest has \(quoted(key.string ?? "")) twice.", at: position(of: key, in: source))
    }
    // Relay's ids are hashes.
    if let format = root["format"] { return try apolloOperations(format, in: root, source) }
    var operations: [Operation] = []
    for member in root.members ?? [] {
      guard let text = member.value.string else {
        operations = []
        break
      }
      operations.append(
        Operation(
          id: member.key, name: nil, type: nil, text: text,
          position: position(of: member.value, in: source)))
    }
    if !operations.isEmpty || root.members?.isEmpty == true { return operations }
    throw problem(
      "This is neither a manifest of Apollo nor a map of Relay from ids to documents.",
      at: position(of: root, in: source))
  }

  private static func apolloOperations(
    _ format: JSONNode, in root: JSONNode, _ source: Source
  ) throws(Diagnostics) -> [Operation] {
    guard format.string == ApolloManifest.format else {
      throw problem(
        "The format of a manifest is \(quoted(ApolloManifest.format)), or it is a map of Relay.",
        at: position(of: format, in: source))
    }
    guard root["version"]?.int == ApolloManifest.version else {
      throw problem(
        "The version of the manifest has to be \(ApolloManifest.version).",
        at: position(of: root["version"] ?? root, in: source))
    }
    guard let elements = root["operations"]?.array else {
      throw problem(
        "The manifest has no list of operations.",
        at: position(of: root["operations"] ?? root, in: source))
    }
    var operations: [Operation] = []
    for element in elements {
      guard let id = element["id"]?.string, let body = element["body"], let text = body.string
      else {
        throw problem("An operation needs an id and a body.", at: position(of: element, in: source))
      }
      operations.append(
        Operation(
          id: id, name: element["name"]?.string, type: element["type"]?.string, text: text,
          position: position(of: body, in: source)))
    }
    try checkUnique(operations)
    return operations
  }

  /// Throws if one id has two texts: which one a service knows is not certain.
  private static func checkUnique(_ operations: [Operation]) throws(Diagnostics) {
    var texts: [String: String] = [:]
    for operation in operations {
      if let text = texts.updateValue(operation.text, forKey: operation.id), text != operation.text
      {
        throw problem(
          "The manifest has another text for the id \(quoted(operation.id)).",
          at: operation.position)
      }
    }
  }

  private static func position(of node: JSONNode, in source: Source) -> SourcePosition {
    let range = node.document.sourceRange(at: node.index)
    return source.position(from: range.lowerBound, to: range.upperBound)
  }

  private static func problem(_ message: String, at position: SourcePosition) -> Diagnostics {
    Diagnostics([Diagnostic(code: "manifest", message: message, at: position)])
  }
}
