import GraphQLCodeGen
import GraphQLSchema

/// Fields that documents select and that no Swift source reads. They are found by name.
struct UnreadFields {
  private let documents: [(source: Source, document: Document)]
  private let schema: ServiceSchema
  private let names: WantedNames
  /// Fields that identify objects, as `Type.field`: the store reads them.
  private let keys: Set<String>

  /// Documents with syntax errors are left out.
  init(_ sources: [Source], schema: ServiceSchema, configuration: Configuration) {
    documents = sources.compactMap { source in
      (try? Document(parsing: source)).map { (source, $0) }
    }
    self.schema = schema
    names = WantedNames(configuration)
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
      for operation in document.operations {
        visitor.visit(
          operation.selectionSet,
          on: schema.rootType(for: operation.operationType).map(NamedType.object))
      }
      for fragment in document.fragments {
        visitor.visit(
          fragment.selectionSet, on: schema.type(named: fragment.typeCondition.name))
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
    mutating func visit(_ selectionSet: Document.SelectionSet, on parent: NamedType?) {
      guard let parent else { return }
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field): visit(field, on: parent)
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.flatMap { fields.schema.type(named: $0.name) }
          visit(fragment.selectionSet, on: condition ?? parent)
        case .fragmentSpread(let spread):
          let name = spread.name.prefix(1).lowercased() + spread.name.dropFirst()
          if !reads.contains(name) {
            report("the fragment \(quoted(spread.name))", name, at: spread.nameRange)
          }
        }
      }
    }

    private mutating func visit(_ field: Document.Field, on parent: NamedType) {
      guard !fields.isReadWithoutName(field, of: parent) else { return }
      let name = field.alias ?? fields.names[.member(type: parent.name, name: field.name)]
      guard reads.contains(name) else {
        return report(quoted("\(parent.name).\(field.name)"), name, at: field.nameRange)
      }
      guard let selectionSet = field.selectionSet else { return }
      let type = parent.fields?[field.name].flatMap { fields.schema.namedType(of: $0.type) }
      visit(selectionSet, on: type)
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
