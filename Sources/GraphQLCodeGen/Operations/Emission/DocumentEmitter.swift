#if !ONE_MODULE
  import GraphJSON
#endif

/// Prints the plans of documents. Nothing is decided here.
///
/// The code is what compiles fastest among the shapes that were measured: a struct with one stored
/// property, an accessor of one call for each field, no initialisers, and `Hashable` next to the
/// protocol. A class, since the closures that write bodies each capture it.
final class DocumentEmitter {
  /// As in `Emitter`: the module may isolate everything to the main actor. Nested types need it too.
  let nonisolated = "nonisolated "
  private let level: Configuration.AccessLevel
  /// `public `, before every declaration that users see.
  let access: String
  /// `public var `, before properties.
  let variable: String
  /// `_fields.`, before the functions that read them.
  static let fields = RuntimeSymbols.selectedFields + "."
  /// `Storefront.`, before types of the schema.
  let prefix: String
  /// `Storefront.schema`
  let schema: String
  /// The enum around the types; nil if they are at the top level.
  let namespace: String?
  private let schemaNamespace: String
  /// All files are written in its memory, one after the other.
  private var writer = SourceWriter()
  /// The types that are written in extensions after the definitions, by the paths of the structs around them.
  private var extensions: [(path: String, types: [NestedPlan])] = []

  init(configuration: Configuration) {
    level = configuration.access
    access = level.rawValue + " "
    variable = access + "var "
    schemaNamespace = configuration.namespace
    prefix = configuration.namespace + "."
    schema = prefix + RuntimeSymbols.schema
    namespace = configuration.operations.namespace?.value
  }

  /// The file of a document.
  func file(_ plan: DocumentPlan) -> GeneratedFile {
    begin(imports: plan.imports, visible: plan.visibleImports)
    if let namespace {
      writer.blank()
      writer.block("\(nonisolated)extension \(namespace)") { writer in
        definitions(plan, &writer)
      }
    } else {
      definitions(plan, &writer)
    }
    writeExtensions()
    return GeneratedFile(name: plan.fileName, bytes: writer.finish())
  }

  private func writeExtensions() {
    // Each of them may add more.
    while let (path, types) = extensions.popLast() {
      let whole = qualified(path)
      writer.blank()
      writer.block("\(nonisolated)extension \(whole)") { writer in
        for type in types {
          writer.blank()
          nested(type, in: path, &writer)
        }
      }
    }
  }

  /// A path as it is written outside of the namespace.
  private func qualified(_ path: String) -> String {
    [namespace, path].compactMap(\.self).joined(separator: ".")
  }

  /// The file with the namespace.
  func namespaceFile(_ namespace: String, name: String) -> GeneratedFile {
    begin(imports: [], visible: [])
    writer.blank()
    writer.line("/// The operations and fragments of this module.")
    writer.line("\(nonisolated)\(access)enum \(namespace) {}")
    return GeneratedFile(name: name, bytes: writer.finish())
  }

  private func begin(imports: [String], visible: Set<String>) {
    writer.line(names: Generated.header)
    writer.line(names: Generated.formatterNote)
    if imports.isEmpty { return }
    writer.blank()
    for module in imports {
      writer.importModule(module, level, isVisible: visible.contains(module))
    }
  }

  private func definitions(_ plan: DocumentPlan, _ writer: inout SourceWriter) {
    for definition in plan.definitions {
      writer.blank()
      switch definition {
      case .operation(let operation): self.operation(operation, &writer)
      case .fragment(let fragment): self.fragment(fragment, &writer)
      }
    }
  }

  /// A standard type, with its module if the namespace hides it.
  func standard(_ type: String) -> String { type == schemaNamespace ? "Swift." + type : type }
}

extension DocumentEmitter {
  func operation(_ plan: OperationPlan, _ writer: inout SourceWriter) {
    writer.comment(plan.documentation)
    writer.block("\(nonisolated)\(access)struct \(plan.name): \(plan.kind)") { writer in
      writer.line("\(access)typealias \(RuntimeSymbols.response) = \(RuntimeSymbols.data)")
      writer.line("let \(RuntimeSymbols.storedVariables): \(RuntimeSymbols.variables)")
      writer.blank()
      initializer(plan, &writer)
      writer.blank()
      structure(
        plan.data, at: "\(plan.name).\(plan.data.name)", conformance: RuntimeSymbols.selectedRoot,
        plan.data.documentation, &writer
      ) { writer in
        text(plan.text, &writer, directives: directives(plan.clientDirectives))
      }
    }
  }

  func fragment(_ plan: FragmentPlan, _ writer: inout SourceWriter) {
    structure(
      plan.fields, at: plan.fields.name, conformance: RuntimeSymbols.typedFragment,
      plan.documentation, &writer
    ) { writer in
      text(plan.text, &writer)
    }
  }

  /// The document with what identifies it. A function: a stored property would be a global variable with code that
  /// initialises it, and a computed one would export a descriptor.
  private func text(
    _ plan: TextPlan, _ writer: inout SourceWriter, directives: String = ""
  ) {
    let type = RuntimeSymbols.documentText
    writer.block("\(access)static func \(RuntimeSymbols.document)() -> \(type)") { writer in
      writer.line("\(type)(")
      writer.indented { writer in
        writer.line("schema: \(schema),")
        writer.line("text: \(EscapedText.literal(plan.text)),")
        let digits = String(plan.shape, radix: 16, uppercase: true)
        let shape = String(repeating: "0", count: 8 - digits.utf8.count) + digits
        writer.line("hash: \"\(plan.hash)\", shape: 0x\(shape)\(directives))")
      }
    }
  }

  /// The argument for the directives that are not sent.
  private func directives(_ uses: [ClientDirectiveUse]) -> String {
    guard !uses.isEmpty else { return "" }
    var json = JSONWriter()
    json.beginArray()
    for use in uses {
      json.beginArray()
      json.string(use.name)
      json.beginArray()
      for name in use.path { json.string(name) }
      json.endArray()
      json.fragment(use.arguments)
      json.endArray()
    }
    json.endArray()
    let text = String(decoding: json.finish(), as: UTF8.self)
    return ", directives: \(EscapedText.literal(text))"
  }

  private func initializer(_ plan: OperationPlan, _ writer: inout SourceWriter) {
    let stored = RuntimeSymbols.storedVariables
    let empty = "\(RuntimeSymbols.variables)(\(RuntimeSymbols.data).self)"
    writer.comment(plan.initializer)
    let parameters = plan.variables.map { $0.parameter(default: "nil", prefix: prefix) }
    writer.function("\(access)init", parameters) { writer in
      guard !plan.variables.isEmpty else {
        writer.line("\(stored) = \(empty)")
        return
      }
      let local = RuntimeSymbols.localVariables
      writer.line("var \(local) = \(empty)")
      for variable in plan.variables {
        writer.line(
          "\(local).\(RuntimeSymbols.addVariable)(\"\(variable.schemaName)\", \(variable.variable))"
        )
      }
      writer.line("\(stored) = \(local)")
    }
  }
}

extension DocumentEmitter {
  /// A struct with its accessors and nested types.
  ///
  /// - Parameters:
  ///   - path: Its path, without a namespace.
  ///   - head: Writes what comes before the stored property.
  func structure(
    _ plan: StructPlan, at path: String, conformance: String, _ documentation: Documentation,
    _ writer: inout SourceWriter, head: (inout SourceWriter) -> Void = { _ in }
  ) {
    var conformances = "\(conformance), \(standard("Hashable"))"
    if plan.isIdentifiable { conformances += ", \(standard("Identifiable"))" }
    writer.comment(documentation)
    writer.block("\(nonisolated)\(access)struct \(plan.name): \(conformances)") { writer in
      head(&writer)
      // Internal, so that the type needs no public initialiser: the runtime makes values of it.
      writer.line("let \(RuntimeSymbols.selectedFields): \(RuntimeSymbols.fields)")
      for member in plan.members { self.member(member, &writer) }
      if let cases = plan.cases { self.cases(cases, &writer) }
      if !plan.nested.isEmpty, StructPlan.hasExtension(at: path) {
        extensions.append((path, plan.nested))
      } else {
        for type in plan.nested {
          writer.blank()
          nested(type, in: path, &writer)
        }
      }
    }
  }

  /// A type in the struct at a path.
  private func nested(_ plan: NestedPlan, in path: String, _ writer: inout SourceWriter) {
    switch plan {
    case .structure(let plan):
      structure(
        plan, at: "\(path).\(plan.name)", conformance: RuntimeSymbols.selectedObject,
        plan.documentation, &writer)
    case .alias(let name, let original):
      let isQualified = StructPlan.isInExtension(at: "\(path).\(name)")
      writer.line("\(access)typealias \(name) = \(isQualified ? qualified(original) : original)")
    }
  }

  private func member(_ plan: MemberPlan, _ writer: inout SourceWriter) {
    writer.comment(plan.documentation)
    writer.attribute(plan.deprecation)
    writer.line { line in
      line.append(name: variable)
      line.append(name: plan.property)
      line.append(": ")
      plan.type.spell(prefix: prefix, into: &line)
      line.append(" { ")
      if let key = plan.caughtKey {
        line.append(name: "get throws(\(RuntimeSymbols.responseError)) { ")
        line.append(name: "try \(RuntimeSymbols.selectedFields).\(RuntimeSymbols.readCaught)(")
        line.append(name: "\(plan.slot), \(EscapedText.literal(key)), ")
        read(plan.accessor, plan.slot, &line, arguments: plan.arguments)
        line.append(") }")
      } else {
        read(plan.accessor, plan.slot, &line, arguments: plan.arguments)
      }
      line.append(" }")
    }
  }

  /// `_fields.string(3)`
  private func read(
    _ accessor: String, _ slot: Int, _ line: inout SourceText, arguments: String = ""
  ) {
    line.append(name: Self.fields)
    line.append(name: accessor)
    line.append("(")
    line.append(name: String(slot))
    if !arguments.isEmpty { line.append(name: arguments) }
    line.append(")")
  }

  /// The enum for a `switch` over the types of an object.
  private func cases(_ plan: CasesPlan, _ writer: inout SourceWriter) {
    writer.line("/// The object as the first of the selected types that it has.")
    writer.block("\(access)var \(plan.property): \(plan.name)") { writer in
      let accessor = RuntimeSymbols.readObject + RuntimeSymbols.optionalSuffix
      for enumCase in plan.cases {
        writer.line { line in
          line.append("if let object: ")
          line.append(name: enumCase.type)
          line.append(" = ")
          read(accessor, enumCase.slot, &line)
          line.append(" { return .")
          line.append(name: enumCase.name)
          line.append("(object) }")
        }
      }
      writer.line { line in
        line.append("return .other(")
        read(RuntimeSymbols.readString, plan.typenameSlot, &line)
        line.append(")")
      }
    }
    writer.blank()
    writer.line("/// The selected types of the object.")
    writer.block("\(nonisolated)\(access)enum \(plan.name): \(standard("Sendable"))") { writer in
      for enumCase in plan.cases { writer.line("case \(enumCase.name)(\(enumCase.type))") }
      writer.line("/// Another type, by its name in the schema.")
      writer.line("case other(\(standard("String")))")
    }
  }
}
