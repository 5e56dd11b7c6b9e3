extension TypeSystemValidator {
  /// There is a query root type (section 3.3.1).
  mutating func queryRootType() {
    let definition = schema.definition
    if definition.operationTypes.contains(where: { $0.operationType == .query }) { return }
    let range =
      definition.range.isKnown || schema.sources.isEmpty
      ? definition.range : SourceRange(source: 0, start: 0, end: 0)
    let suggestion = rootTypeSuggestion
    diagnostics.add(
      "QueryRootType", "The schema has no query root type.", at: range,
      suggestion: definition.range.isKnown
        ? "Add \"query: …\" to the schema definition."
        : suggestion)
  }

  /// The schema definition for types that look like root types: no field leads to them, and their
  /// names contain the operation.
  private var rootTypeSuggestion: String {
    var roots: [String] = []
    let used = Set(fields.flatMap { $0.elements.map(\.type.namedType) })
    for operation in OperationType.allCases {
      let candidates = schema.types.elements.filter {
        $0.kind == .object && !used.contains($0.name)
          && $0.name.lowercased().contains(operation.rawValue)
      }
      guard candidates.count == 1, let name = candidates.first?.name else { continue }
      roots.append("\(operation.rawValue): \(name)")
    }
    guard roots.first?.hasPrefix("query") == true else {
      return "Define \"type Query\", or a \"schema { query: … }\" that names another type."
    }
    return "Add \"schema { \(roots.joined(separator: " ")) }\", if these are the root types."
  }

  /// Each operation type is given once (section 3.3.1).
  mutating func uniqueOperationTypes() {
    var firsts: [OperationType: RootOperationTypeDefinition] = [:]
    for root in schema.definition.operationTypes {
      guard let first = firsts[root.operationType] else {
        firsts[root.operationType] = root
        continue
      }
      let isRepeat = first.type.name == root.type.name
      diagnostics.add(
        isRepeat ? "RepeatedOperationTypes" : "UniqueOperationTypes",
        "There is more than one \(root.operationType.rawValue) root type.", at: root.range,
        notes: [("The first one is here.", first.range)])
    }
  }

  /// Root types are defined and are object types (section 3.3.1).
  mutating func rootTypesAreObjects() {
    for root in schema.definition.operationTypes {
      let name = root.type.name
      guard let type = schema.type(named: name) else {
        reportUnknownType(name, at: root.type.range) { $0.kind == .object }
        continue
      }
      guard type.kind != .object else { continue }
      // Roots by default name have no position of their own: the type's is used.
      diagnostics.add(
        "RootTypesAreObjects",
        "The \(root.operationType.rawValue) root type \(quoted(name)) must be an object type; "
          + "it is \(type.kind.phrase).",
        at: root.type.range.isKnown ? root.type.range : type.nameRange)
    }
  }

  /// Root types differ from each other (section 3.3.1).
  mutating func rootTypesDiffer() {
    var firsts: [String: RootOperationTypeDefinition] = [:]
    for root in schema.definition.operationTypes {
      guard let first = firsts[root.type.name] else {
        firsts[root.type.name] = root
        continue
      }
      if first.operationType == root.operationType { continue }
      diagnostics.add(
        "RootTypesDiffer",
        "\(quoted(root.type.name)) cannot be the root type of both "
          + "\(first.operationType.rawValue) and \(root.operationType.rawValue).",
        at: root.type.range, notes: [("It is first used here.", first.type.range)])
    }
  }
}
