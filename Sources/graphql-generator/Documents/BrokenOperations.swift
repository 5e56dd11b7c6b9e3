import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// An operation that is not valid for a schema.
struct BrokenOperation {
  let name: String
  /// The position of its name.
  let position: SourcePosition?
  let errors: [Diagnostic]

  init(_ operation: OperationDefinition, in sources: [Source], errors: [Diagnostic]) {
    name = operation.name ?? operation.operationType.rawValue
    position = sources.position(
      of: operation.name == nil ? operation.range : operation.nameRange)
    self.errors = errors
  }

  /// The name and, below it, the errors.
  var lines: [String] {
    let place = position.map { " (\($0.source):\($0.line))" } ?? ""
    return ["\(name)\(place)"]
      + errors.map { error in
        let place = error.position.map { "\($0.source):\($0.line):\($0.column): " } ?? ""
        return "  \(place)\(error.message)"
      }
  }

  var json: JSON {
    var members: JSON.Object = ["name": .string(name)]
    members["file"] = position.map { .string($0.source) }
    members["line"] = position.map { JSON($0.line) }
    members["errors"] = .array(
      errors.map { error in
        var members: JSON.Object = ["code": .string(error.code), "message": .string(error.message)]
        members["file"] = error.position.map { .string($0.source) }
        members["line"] = error.position.map { JSON($0.line) }
        members["column"] = error.position.map { JSON($0.column) }
        return .object(members)
      })
    return .object(members)
  }
}

/// The operations for which a change of the schema matters, in the order of the documents.
struct BrokenOperations {
  /// Those that are valid for the older schema and not for the newer one, with its errors.
  private(set) var broken: [BrokenOperation] = []
  /// Those that are not valid for the older schema, with its errors: what the change means for them is not
  /// known.
  private(set) var invalid: [BrokenOperation] = []

  /// - Parameter configuration: names directives that are not sent, which the schemas may lack, and the keys that are
  ///   added to what is sent.
  init(
    in sources: [Source], from old: ServiceSchema, to new: ServiceSchema,
    _ configuration: Configuration
  ) throws(Diagnostics) {
    let (parsed, errors) = Document.parse(sources)
    if !errors.isEmpty { throw Diagnostics(errors) }
    // Apps were built with the older schema, and send the directives that it has and what was added for it.
    let written = parsed.map(ClientDirectives.foreign(old).removed)
      .map(ClientDirectives.configured(configuration).removed)
    let olds = OperationErrors(written, sources, old)
    let sent = OperationsPipeline(configuration: configuration).sent(written, of: old)
    let sents = OperationErrors(sent, sources, old)
    let news = OperationErrors(sent, sources, new)
    for (index, operation) in parsed.flatMap(\.operations).enumerated() {
      let errors = olds.errors(at: index)
      if !errors.isEmpty {
        invalid.append(BrokenOperation(operation, in: sources, errors: errors))
        continue
      }
      let added = news.errors(at: index) + sents.changedResults(at: index, in: new)
      if !added.isEmpty { broken.append(BrokenOperation(operation, in: sources, errors: added)) }
    }
  }
}

/// Validates each operation of documents.
private struct OperationErrors {
  private let operations: [OperationDefinition]
  private let fragments: [String: FragmentDefinition]
  private let sources: [Source]
  private let schema: ServiceSchema

  /// - Parameter documents: without directives that are not sent.
  init(_ documents: [Document], _ sources: [Source], _ schema: ServiceSchema) {
    operations = documents.flatMap(\.operations)
    fragments = documents.fragmentsByName
    self.sources = sources
    self.schema = schema
  }

  /// The fields whose values have another type in a newer schema, so that clients cannot read them.
  func changedResults(at index: Int, in newer: ServiceSchema) -> [Diagnostic] {
    var changes = ChangedResults(from: schema, to: newer, sources: sources)
    for definition in operations[index].document(with: fragments).definitions {
      changes.visit(definition)
    }
    return changes.findings
  }

  func errors(at index: Int) -> [Diagnostic] {
    operations[index].document(with: fragments).validate(against: schema, sources: sources)
      .filter { $0.severity == .error }
  }
}

extension OperationDefinition {
  /// The operation and the fragments that it reaches.
  fileprivate func document(with fragments: [String: FragmentDefinition]) -> Document {
    var definitions: [Document.Definition] = [.operation(self)]
    var known: Set<String> = []
    var pending = selectionSet.spreads
    while let spread = pending.popLast() {
      guard known.insert(spread.name).inserted, let fragment = fragments[spread.name] else {
        continue
      }
      definitions.append(.fragment(fragment))
      pending += fragment.selectionSet.spreads
    }
    return Document(definitions: definitions)
  }
}

/// Selected fields whose newer type is not a subtype of the older one (specification: 3.6 Objects, Type Validation):
/// clients with the older schema cannot read all their results.
struct ChangedResults {
  private let older: ServiceSchema
  private let newer: ServiceSchema
  private let sources: [Source]
  private(set) var findings: [Diagnostic] = []

  init(from older: ServiceSchema, to newer: ServiceSchema, sources: [Source]) {
    self.older = older
    self.newer = newer
    self.sources = sources
  }

  mutating func visit(_ definition: Document.Definition) {
    switch definition {
    case .operation(let operation):
      guard let root = older.rootType(for: operation.operationType) else { return }
      visit(operation.selectionSet, on: .object(root))
    case .fragment(let fragment):
      visit(fragment.selectionSet, on: older.type(named: fragment.typeCondition.name))
    default: return
    }
  }

  // The parser limits the nesting.
  private mutating func visit(_ set: Document.SelectionSet, on type: NamedType?) {
    guard let type else { return }
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let old = older.typeOfSelectableField(named: field.name, on: type) else { continue }
        if let newType = newer.type(named: type.name),
          let new = newer.typeOfSelectableField(named: field.name, on: newType),
          !newer.isSubtype(new, of: old)
        {
          report(field, of: type, old, new)
        }
        if let inner = field.selectionSet { visit(inner, on: older.namedType(of: old)) }
      case .inlineFragment(let fragment):
        visit(
          fragment.selectionSet,
          on: fragment.typeCondition.map { older.type(named: $0.name) } ?? type)
      case .fragmentSpread: continue
      }
    }
  }

  private mutating func report(
    _ field: Document.Field, of type: NamedType, _ old: TypeReference, _ new: TypeReference
  ) {
    findings.append(
      Diagnostic(
        code: "ChangedResult",
        message:
          "The type of \(quoted("\(type.name).\(field.name)")) is \(quoted(new.description)), not"
          + " \(quoted(old.description)).",
        at: sources.position(of: field.nameRange)))
  }
}
