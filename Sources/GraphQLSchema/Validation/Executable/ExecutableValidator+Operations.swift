/// Section 5.2, Operations.
extension ExecutableValidator {
  /// The schema has a root type for the operation (section 5.2.1.1).
  mutating func operationTypes() {
    for operation in operations where schema.rootType(for: operation.operationType) == nil {
      diagnostics.add(
        "OperationTypes", "The schema has no \(operation.operationType.rawValue) type.",
        at: operation.nameRange)
    }
  }

  /// Operations have different names (section 5.2.2.1).
  mutating func uniqueOperationNames() {
    var firsts: [String: SourceRange] = [:]
    for operation in operations {
      guard let name = operation.name else { continue }
      guard let first = firsts[name] else {
        firsts[name] = operation.nameRange
        continue
      }
      diagnostics.add(
        "UniqueOperationNames", "There is more than one operation \(quoted(name)).",
        at: operation.nameRange, notes: [("It is first defined here.", first)])
    }
  }

  /// An operation without a name is the only operation (section 5.2.3.1).
  mutating func loneAnonymousOperation() {
    guard operations.count > 1 else { return }
    for operation in operations where operation.name == nil {
      diagnostics.add(
        "LoneAnonymousOperation",
        "An operation needs a name if the document has several operations.",
        at: operation.nameRange)
    }
  }

  /// A subscription selects one field at its root, which is not an introspection field, and does so
  /// without conditions (section 5.2.4.1).
  ///
  /// A root selection set without any field needs no message here: its fragments are undefined, do
  /// not apply or spread each other, which other rules report.
  mutating func singleRootField() {
    for operation in operations where operation.operationType == .subscription {
      guard let rootType = schema.subscriptionType else { return }
      let root = rootSelections(operation.selectionSet, on: rootType)
      for directive in root.conditions {
        diagnostics.add(
          "SingleRootField",
          "\(quoted("@" + directive.name)) cannot be applied at the root of a subscription.",
          at: directive.range)
      }
      guard let first = root.fields.first else { continue }
      for field in root.fields where field.name.hasPrefix("__") {
        diagnostics.add(
          "SingleRootField",
          "A subscription cannot select the introspection field \(quoted(field.name)) at its root.",
          at: field.nameRange)
      }
      let responseName = first.responseName
      if let other = root.fields.first(where: { $0.responseName != responseName }) {
        diagnostics.add(
          "SingleRootField", "A subscription selects exactly one field at its root.",
          at: other.nameRange, notes: [("It already selects this one.", first.nameRange)])
      }
    }
  }

  /// The fields at the root of a subscription, including those of fragments, and the directives on
  /// the path that depend on variables (section 5.2.4.1 CollectSubscriptionFields).
  private func rootSelections(
    _ selectionSet: Document.SelectionSet, on rootType: ObjectType
  ) -> (fields: [Document.Field], conditions: [Document.Directive]) {
    var fields: [Document.Field] = []
    var conditions: [Document.Directive] = []
    var visited: Set<Int> = []
    var pending = [selectionSet]
    func applies(_ condition: TypeName) -> Bool {
      schema.isSubtype(rootType.name, of: condition.name)
    }
    while let selectionSet = pending.popLast() {
      for selection in selectionSet.selections {
        conditions += selection.directives.filter { $0.name == "skip" || $0.name == "include" }
        switch selection {
        case .field(let field): fields.append(field)
        case .inlineFragment(let fragment):
          if fragment.typeCondition.map(applies) ?? true { pending.append(fragment.selectionSet) }
        case .fragmentSpread(let spread):
          guard let position = fragmentPositions[spread.name], visited.insert(position).inserted,
            applies(fragments[position].typeCondition)
          else { continue }
          pending.append(fragments[position].selectionSet)
        }
      }
    }
    return (fields, conditions)
  }
}
