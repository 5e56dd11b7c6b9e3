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
    return GeneratedFile(name: plan.fileName, bytes: writer.finish())
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
