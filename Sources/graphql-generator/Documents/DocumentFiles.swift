#if !ONE_MODULE
  import GraphJSON
  import GraphQLCodeGen
  import GraphQLSchema
#endif

/// The documents of a module, and those of other modules whose fragments it uses.
struct DocumentFiles {
  private(set) var sources: [Source] = []
  private(set) var imported: [OperationsPipeline.Module] = []

  var isEmpty: Bool { sources.isEmpty }

  /// Reads the files without parsing them.
  ///
  /// - Parameters:
  ///   - paths: files, and folders in which all documents are used.
  ///   - schemas: the files of the schema, which are not documents.
  init(
    paths: [String], imported: [ImportedDocument] = [], schemas: [String] = [], files: FileAccess
  ) throws(FileError) {
    var known = Set(schemas.map(files.absolute))
    for path in paths {
      if files.kind(of: path) == .folder {
        for path in try files.files(below: path, ending: ".graphql") {
          let place = files.absolute(path)
          if known.contains(place) { continue }
          let source = Source(name: path, bytes: try files.read(path))
          let kind = DocumentKind(of: source)
          guard
            kind.isDocument(named: Path.name(of: path)) || kind == .schema && source.hasOperations
          else { continue }
          known.insert(place)
          sources.append(source)
        }
      } else if known.insert(files.absolute(path)).inserted {
        sources.append(Source(name: path, bytes: try files.read(path)))
      }
    }
    for document in imported {
      let source = Source(name: document.path, bytes: try files.read(document.path))
      let position = self.imported.firstIndex {
        $0.name == document.module && $0.namespace == document.namespace
      }
      if let position {
        self.imported[position].documents.append(source)
      } else {
        self.imported.append(
          OperationsPipeline.Module(
            name: document.module, namespace: document.namespace, access: document.access,
            documents: [source]))
      }
    }
  }

  /// Throws if a document is a schema. SwiftPM keeps the choice that the plugin has made, also after
  /// the contents of a file have changed.
  func checkKinds() throws(Diagnostics) {
    var problems: [Diagnostic] = []
    for source in sources where DocumentKind(of: source) == .schema {
      if source.hasOperations {
        problems.append(
          Diagnostic(
            code: "kinds", message: "This file has types of a schema, and operations or fragments.",
            at: SourcePosition(source: source.name, line: 1, column: 1),
            suggestion: "Move the operations and fragments into a file of their own."))
        continue
      }
      problems.append(
        Diagnostic(
          code: "plan", message: "This is a schema, but operations and fragments are expected.",
          at: SourcePosition(source: source.name, line: 1, column: 1),
          suggestion:
            "If the file was a document when SwiftPM planned the build, \(SchemaFiles.planAgain)"))
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
  }
}

extension DocumentOptions {
  /// The documents of other modules whose fragments can be used: their types are public or, within a
  /// package, have the access `package`.
  ///
  /// - Parameter schemaAccess: that of the schema's types, which those of documents have unless a configuration
  ///   has another one.
  func usableImports(
    schemaAccess: Configuration.AccessLevel, _ files: FileAccess
  ) throws -> [ImportedDocument] {
    func access(_ file: ImportedDocument) throws -> Configuration.AccessLevel {
      try ConfigurationFile(named: file.path, beside: nil, namespace: nil, files: files)
        .documentAccess(schemaAccess: schemaAccess)
    }
    var accesses: [String: Configuration.AccessLevel] = [:]
    for file in importedConfigs { accesses[file.module] = try access(file) }
    for file in otherPackageConfigs {
      // The access `package` is that of another package.
      accesses[file.module] = try access(file) == .public ? .public : .internal
    }
    return imported.compactMap { document in
      var document = document
      document.access = accesses[document.module] ?? schemaAccess
      return document.access == .internal && accesses[document.module] != nil ? nil : document
    }
  }
}

extension Source {
  /// Whether a source that begins as a schema also has operations or fragments.
  fileprivate var hasOperations: Bool { DocumentKind.hasOperations(Array(bytes)) }
}

extension DocumentKind {
  init(of source: Source) { self.init(of: Array(source.bytes)) }
}

/// The files generated from documents. Each document has one, also if it has errors, since a build has
/// declared it.
struct GeneratedDocuments {
  let files: [OutputFile]
  let output: OperationsPipeline.Output

  /// - Parameters:
  ///   - module: the name of the module; nil if it is not known.
  ///   - schemaModule: the module with the types of the schema; nil if it is that of the documents, or is not known.
  ///   - containsSchema: whether it is that of the documents, if `schemaModule` is nil.
  ///   - configuration: its namespace is that of the types of the schema.
  ///   - exportsFragments: whether other modules may use fragments that these documents do not use.
  ///   - named: the types that the module's Swift sources name.
  ///   - fileNames: other names for the files; empty: those of the pipeline.
  init(
    of documents: DocumentFiles, schema: ServiceSchema, module: String?, schemaModule: String?,
    containsSchema: Bool = true,
    configuration: Configuration, exportsFragments: Bool, named: NamedTypes,
    fileNames: [String]
  ) throws(Diagnostics) {
    let pipeline = OperationsPipeline(configuration: configuration)
    let names = pipeline.fileNames(for: documents.sources.map(\.name))
    guard fileNames.isEmpty || fileNames.count == names.count else {
      throw Diagnostics([
        Diagnostic(
          code: "layout",
          message: "--file-names requires \(names.count) file names for these documents.")
      ])
    }
    output = pipeline.run(
      schema, documents: documents.sources, imported: documents.imported,
      module: module, schemaModule: schemaModule, containsSchema: containsSchema,
      exportsFragments: exportsFragments,
      isNamed: named.contains)
    let generated = Dictionary(
      output.files.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    files = zip(names, fileNames.isEmpty ? names : fileNames).map { name, fileName in
      OutputFile(name: fileName, bytes: generated[name] ?? Self.placeholder)
    }
  }

  /// The findings as they are shown: warnings and notes have their codes, by which the documentation
  /// explains them.
  var findings: [Diagnostic] { output.diagnostics.map(\.withCode) }

  var hasErrors: Bool { output.diagnostics.contains { $0.severity == .error } }

  private static var placeholder: [UInt8] {
    Array("\(GeneratedFile.header)\n\n// The document has errors.\n".utf8)
  }
}

extension Diagnostic {
  /// The diagnostic with its code at the end of the message, unless it is an error.
  var withCode: Diagnostic {
    guard severity != .error, code != "tooMany" else { return self }
    var diagnostic = self
    diagnostic.message += " [\(code)]"
    return diagnostic
  }
}

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
