import GraphQLCodeGen
import GraphQLSchema

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
