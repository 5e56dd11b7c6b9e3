import GraphQLCodeGen
import GraphQLSchema

/// Fields that documents select and that no Swift source reads. They are found by name.
struct UnreadFields {
  private let documents: [(source: Source, document: Document)]
  private let schema: ServiceSchema
  /// The names in Swift, which are those of the generator.
  private let properties: SelectedProperties
  /// Fields that identify objects, as `Type.field`: the store reads them.
  private let keys: Set<String>

  /// Documents with errors are left out.
  init(_ documents: DocumentFiles, schema: ServiceSchema, configuration: Configuration) {
    self.documents = documents.sources.compactMap { source in
      (try? Document(parsing: source)).map { (source, $0) }
    }
    self.schema = schema
    properties = OperationsPipeline(configuration: configuration).properties(
      schema, documents: documents.sources, imported: documents.imported)
    keys = Set(
      configuration.types.flatMap { type, policy in
        (policy.value.key ?? []).map { "\(type).\($0)" }
      })
  }

  /// A warning for each field of which no part is read.
  func findings(_ reads: MemberReads) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (source, document) in documents {
      var visitor = Visitor(fields: self, source: source, reads: reads)
      for definition in document.definitions {
        guard let place = SelectedProperties.place(of: definition) else { continue }
        switch definition {
        case .operation(let operation):
          let root = schema.rootType(for: operation.operationType)
          visitor.visit(operation.selectionSet, of: place, on: root.map(NamedType.object))
        case .fragment(let fragment):
          let type = schema.type(named: fragment.typeCondition.name)
          visitor.visit(fragment.selectionSet, of: place, on: type)
        default: continue
        }
      }
      findings += visitor.findings
    }
    return findings
  }

  /// The client reads the information about pages, and the store the keys.
  private func isReadWithoutName(_ field: Document.Field, of type: NamedType) -> Bool {
    field.name.hasPrefix("__") || field.name == "id" || field.name == "pageInfo"
      || type.name == "PageInfo" || keys.contains("\(type.name).\(field.name)")
  }

  private struct Visitor {
    let fields: UnreadFields
    let source: Source
    let reads: MemberReads
    var findings: [Diagnostic] = []

    init(fields: UnreadFields, source: Source, reads: MemberReads) {
      self.fields = fields
      self.source = source
      self.reads = reads
    }

    // The parser limits the nesting.
    mutating func visit(
      _ selectionSet: Document.SelectionSet, of place: SelectedProperties.Place,
      on parent: NamedType?
    ) {
      guard let parent else { return }
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field): visit(field, of: place, on: parent)
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.flatMap { fields.schema.type(named: $0.name) }
          visit(fragment.selectionSet, of: place, on: condition ?? parent)
        case .fragmentSpread(let spread):
          if let name = unread(place.fragment(spread.name)) {
            report("the fragment \(quoted(spread.name))", name, at: spread.nameRange)
          }
        }
      }
    }

    private mutating func visit(
      _ field: Document.Field, of place: SelectedProperties.Place, on parent: NamedType
    ) {
      guard !fields.isReadWithoutName(field, of: parent) else { return }
      if let name = unread(place.field(field.responseName)) {
        return report(quoted("\(parent.name).\(field.name)"), name, at: field.nameRange)
      }
      guard let selectionSet = field.selectionSet else { return }
      let type = parent.fields?[field.name].flatMap { fields.schema.namedType(of: $0.type) }
      visit(selectionSet, of: place.inside(field.responseName), on: type)
    }

    /// The property of a selection if no source reads it; nil also if there is none.
    private func unread(_ place: SelectedProperties.Place) -> String? {
      let names = fields.properties[place]
      return names.contains(where: reads.contains) ? nil : names.min()
    }

    private mutating func report(_ what: String, _ name: String, at range: SourceRange) {
      findings.append(
        Diagnostic(
          severity: .warning, code: "UnreadField",
          message: "This selects \(what), and no source reads \(quoted(".\(name)")).",
          at: source.position(from: Int(range.start), to: Int(range.end))))
    }
  }
}

/// The names that Swift sources read as members, after a full stop: `.title`, `\.title`.
struct MemberReads {
  private var names: Set<String> = []

  init(sources: UsageSources) throws {
    var names: Set<String> = []
    try sources.forEach { _, contents in
      var isMember = false
      for token in SwiftScanner.tokens(of: contents) {
        if isMember { names.insert(token.text) }
        isMember = token.text == "."
      }
    }
    self.names = names
  }

  func contains(_ name: String) -> Bool { names.contains(name) }
}
