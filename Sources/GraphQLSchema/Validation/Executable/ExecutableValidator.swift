/// The rules of chapter 5, one function each; a file contains those of one section.
///
/// One traversal visits every node with the expected type. It calls the rules about a single node
/// and records the usages of each definition; the rules about whole definitions follow. Rules about
/// applied arguments, values and directives (sections 5.4, 5.6, 5.7) are in `DirectiveChecker`,
/// since they also apply to type-system documents.
struct ExecutableValidator {
  /// The maximum number of steps of the rules whose time may grow faster than the document.
  var maximumSteps = 5_000_000

  let schema: ServiceSchema
  let document: Document
  /// Whether all of it is sent together. The definitions of a program are not: each operation is sent
  /// with its fragments, so the rules about the whole document are not for them.
  let isSentTogether: Bool
  let operations: [OperationDefinition]
  let fragments: [FragmentDefinition]
  /// Positions in `fragments` by name; if several have the same name, the first one counts.
  let fragmentPositions: [String: Int]
  /// The directives of incremental delivery that the schema defines.
  let incremental: IncrementalDirectives
  var checker: DirectiveChecker

  /// The traversal's findings in each of `operations`.
  var operationUses: [DefinitionUses] = []
  /// The traversal's findings in each of `fragments`.
  var fragmentUses: [DefinitionUses] = []
  /// The fields of all selection sets, for field merging.
  var selections = SelectionGraph()
  /// Whether two composite types can have an object in common, by their names.
  var overlaps: [TypePair: Bool] = [:]
  /// The labels of `@defer` and `@stream`, with the first place of each.
  var labels: [String: SourceRange] = [:]
  /// Whether two labels of different operations, or of one, are equal.
  var hasEqualLabels = false
  /// The usages of the definition that is being traversed.
  var uses = DefinitionUses()
  /// The selection sets of that definition that were not visited yet.
  var pending: [PendingSelectionSet] = []

  var diagnostics: DiagnosticCollector {
    get { checker.diagnostics }
    _modify { yield &checker.diagnostics }
  }

  init(
    document: Document, schema: ServiceSchema, sources: [Source]? = nil, isSentTogether: Bool = true
  ) {
    self.schema = schema
    self.document = document
    self.isSentTogether = isSentTogether
    operations = document.operations
    fragments = document.fragments
    fragmentPositions = Dictionary(
      zip(fragments.map(\.name), fragments.indices), uniquingKeysWith: { first, _ in first })
    incremental = IncrementalDirectives(schema)
    checker = DirectiveChecker(
      schema: schema,
      diagnostics: DiagnosticCollector(sources: sources ?? document.source.map { [$0] } ?? []))
  }

  mutating func validate() {
    executableDefinitions()

    operationTypes()
    uniqueOperationNames()
    if isSentTogether { loneAnonymousOperation() }
    singleRootField()

    uniqueFragmentNames()
    traverse()
    if isSentTogether { usedFragments() }
    fragmentCycles()

    fieldMerging()

    variablesOfOperations()
    if !isSentTogether { labelsOfOperations() }

    if incremental.hasDefer || incremental.hasStream {
      rootFieldsInOnePart()
      subscriptionsInOnePart()
    }
  }
}

/// The usages of an operation or fragment, without those of the fragments that it spreads.
struct DefinitionUses {
  var variables: [VariableUsage] = []
  var spreads: [(range: SourceRange, fragment: Int)] = []
  /// The definition's selection set.
  var selectionSet = 0
}

/// A selection set that the traversal has not visited yet.
struct PendingSelectionSet {
  let selectionSet: Document.SelectionSet
  /// The type in scope; nil if it is unknown.
  let parent: NamedType?
  /// The place where its fields and spreads are recorded; for an inline fragment, that of the enclosing
  /// set.
  let node: Int
}

/// A variable in a value (section 5.8).
struct VariableUsage {
  let name: String
  let range: SourceRange
  /// The expected type of the value; nil if any value is allowed.
  let type: TypeReference?
  /// Whether it is the value of an argument or input field with a default value.
  let hasLocationDefault: Bool
  /// Whether it is the value of a field of a OneOf input object.
  let isOneOfField: Bool
}

/// Section 5.1, Documents.
extension ExecutableValidator {
  /// All definitions are operations and fragments (section 5.1.1).
  mutating func executableDefinitions() {
    let suggestion =
      isSentTogether ? nil : "Documents have operations and fragments only; move it to the schema."
    for definition in document.definitions {
      let (what, range): (String, SourceRange)
      switch definition {
      case .operation, .fragment: continue
      case .schema(let schema): (what, range) = ("A schema definition", schema.range)
      case .schemaExtension(let schema): (what, range) = ("A schema extension", schema.range)
      case .type(let type):
        (what, range) = ("The type definition \(quoted(type.name))", type.nameRange)
      case .typeExtension(let type):
        (what, range) = ("The type extension \(quoted(type.name))", type.nameRange)
      case .directiveExtension(let directive):
        (what, range) = (
          "The directive extension \(quoted("@" + directive.name))", directive.nameRange
        )
      case .directive(let directive):
        (what, range) = (
          "The directive definition \(quoted("@" + directive.name))", directive.nameRange
        )
      }
      diagnostics.add(
        "ExecutableDefinitions", "\(what) cannot be executed.", at: range, suggestion: suggestion)
    }
  }
}

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

extension Document {
  /// Checks the document against every rule of chapter 5, so that a service can execute it.
  ///
  /// The time grows with the document's size. The few rules for which hostile documents could
  /// increase it further stop at a limit and report that instead (code `TooComplex`).
  ///
  /// - Returns: all violations in the order of their positions in the document, at most about
  ///   1,000; empty if the document is valid.
  public func validate(against schema: ServiceSchema) -> [Diagnostic] {
    var validator = ExecutableValidator(document: self, schema: schema)
    validator.validate()
    return validator.diagnostics.finish().elements
  }

  /// Checks the definitions of a program's documents, each operation with its fragments: like
  /// `validate(against:)`, but without the rules about all definitions of a document, which is not sent
  /// as a whole.
  ///
  /// - Parameter sources: the texts to which the ranges of the definitions refer.
  package func validate(against schema: ServiceSchema, sources: [Source]) -> [Diagnostic] {
    var validator = ExecutableValidator(
      document: self, schema: schema, sources: sources, isSentTogether: false)
    // The limit is for one document.
    validator.maximumSteps *= 1 + definitions.count / 100
    validator.validate()
    return validator.diagnostics.finish().elements
  }

  /// The fields that cannot be merged (section 5.3.2), of a document that was valid before fields were added.
  package func mergingConflicts(against schema: ServiceSchema) -> [Diagnostic] {
    var validator = ExecutableValidator(document: self, schema: schema)
    validator.traverse()
    validator.fieldMerging()
    return validator.diagnostics.finish().elements.filter { $0.code == "FieldMerging" }
  }

  /// Parses the documents of a program. The ranges of the definitions of each refer to its source by
  /// its index.
  ///
  /// - Returns: The documents, without the definitions that cannot be read, and all syntax errors.
  package static func parse(_ sources: [Source]) -> (documents: [Document], errors: [Diagnostic]) {
    var diagnostics = DiagnosticCollector(sources: sources)
    let documents = sources.indices.map {
      Document(sources[$0], index: UInt32($0), &diagnostics)
    }
    return (documents, diagnostics.finish().elements)
  }
}

/// The traversal of all definitions. Selection sets and values are queued in lists, so that nesting
/// needs no recursion; spreads are recorded, not followed.
extension ExecutableValidator {
  mutating func traverse() {
    for operation in operations {
      uses = DefinitionUses()
      uniqueVariables(operation)
      for variable in operation.variables { visit(variable) }
      visit(operation.directives, at: operation.operationType.directiveLocation)
      let rootType = schema.rootType(for: operation.operationType).map(NamedType.object)
      uses.selectionSet = visit(operation.selectionSet, on: rootType)
      operationUses.append(uses)
    }
    for fragment in fragments {
      uses = DefinitionUses()
      visit(fragment.directives, at: .fragmentDefinition)
      uses.selectionSet = visit(
        fragment.selectionSet, on: compositeType(fragment.typeCondition))
      fragmentUses.append(uses)
    }
  }

  private mutating func visit(_ variable: VariableDefinition) {
    variableInputType(variable)
    if let value = variable.defaultValue {
      defaultValue(value, of: variable)
      noteVariables(in: InputPosition(value, type: variable.type))
    }
    visit(variable.directives, at: .variableDefinition)
  }

  /// Visits the selection set of a definition and all nested ones.
  ///
  /// - Returns: its position in `selections`.
  private mutating func visit(_ selectionSet: Document.SelectionSet, on parent: NamedType?) -> Int {
    let node = selections.addSelectionSet()
    pending.append(PendingSelectionSet(selectionSet: selectionSet, parent: parent, node: node))
    while let next = pending.popLast() {
      for selection in next.selectionSet.selections { visit(selection, on: next.parent, next.node) }
    }
    return node
  }

  private mutating func visit(_ selection: Document.Selection, on parent: NamedType?, _ node: Int) {
    switch selection {
    case .field(let field): visit(field, on: parent, node)
    case .fragmentSpread(let spread): visit(spread, on: parent, node)
    case .inlineFragment(let fragment):
      visit(fragment.directives, at: .inlineFragment)
      var type = parent
      if let condition = fragment.typeCondition {
        type = compositeType(condition)
        possibleFragment(on: type, within: parent, at: condition.range)
      }
      pending.append(
        PendingSelectionSet(selectionSet: fragment.selectionSet, parent: type, node: node))
    }
  }

  private mutating func visit(_ field: Document.Field, on parent: NamedType?, _ node: Int) {
    let definition = parent.flatMap { knownField(field, on: $0) }
    visit(field.directives, at: .field)
    visitArguments(of: field, definition, on: parent)
    if let definition { streamedList(field, definition) }
    let type = definition.flatMap { schema.namedType(of: $0.type) }
    if let type { leafField(field, type) }
    var child: Int?
    if let selectionSet = field.selectionSet {
      let node = selections.addSelectionSet()
      let parent = type?.isCompositeType == true ? type : nil
      pending.append(PendingSelectionSet(selectionSet: selectionSet, parent: parent, node: node))
      child = node
    }
    let isStreamed = incremental.hasStream && field.directives.contains { $0.name == "stream" }
    selections.add(
      field, definition?.type, on: parent, child: child, isStreamed: isStreamed, to: node)
  }

  private mutating func visit(_ spread: Document.FragmentSpread, on parent: NamedType?, _ node: Int)
  {
    visit(spread.directives, at: .fragmentSpread)
    guard let position = knownFragment(spread) else { return }
    uses.spreads.append((spread.nameRange, position))
    selections.addSpread(of: position, to: node)
    let condition = fragments[position].typeCondition.name
    possibleFragment(on: schema.type(named: condition), within: parent, at: spread.nameRange)
  }

  private mutating func visit(_ directives: [Document.Directive], at location: DirectiveLocation) {
    if directives.isEmpty { return }
    checker.check(directives, at: location)
    for directive in directives {
      noteVariables(
        in: directive.arguments, schema.directive(named: directive.name)?.arguments ?? [])
      if incremental.contains(directive) { incrementalLabel(directive) }
    }
  }

  /// Section 5.4; without a definition, only the rules that need none.
  private mutating func visitArguments(
    of field: Document.Field, _ definition: FieldSignature?, on parent: NamedType?
  ) {
    let definitions = definition?.arguments ?? []
    if field.arguments.isEmpty, definitions.isEmpty { return }
    func owner() -> String { parent.map { "\($0.name).\(field.name)" } ?? field.name }
    checker.uniqueArguments(field.arguments, of: owner())
    if definition != nil {
      checker.knownArguments(field.arguments, definitions, of: owner())
      checker.requiredArguments(field.arguments, definitions, of: owner(), at: field.nameRange)
      checker.argumentValues(field.arguments, definitions, of: owner())
    }
    noteVariables(in: field.arguments, definitions)
  }

  private mutating func noteVariables(
    in arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>
  ) {
    for argument in arguments {
      var position = InputPosition(argument.value)
      if let index = definitions.position(of: argument.name) {
        position.type = definitions.elements[index].type
        position.hasDefault = definitions.elements[index].defaultValue != nil
      }
      noteVariables(in: position)
    }
  }

  private mutating func noteVariables(in position: InputPosition) {
    var pending = [position]
    while let next = pending.popLast() {
      switch next.value.kind {
      case .variable(let name):
        uses.variables.append(
          VariableUsage(
            name: name, range: next.value.range, type: next.type,
            hasLocationDefault: next.hasDefault, isOneOfField: next.isOneOfField))
      case .list(let items):
        pending += items.lazy.map { InputPosition($0, type: next.type?.itemType) }
      case .object(let fields):
        // For a list type, a single object is accepted as a list of one (section 3.11).
        if case .inputObject(let input)? = next.type.flatMap({ schema.namedType(of: $0) }) {
          pending += fields.lazy.map {
            InputPosition($0.value, of: input.fields[$0.name], isOneOfField: input.isOneOf)
          }
        } else {
          uniqueUntypedFields(fields)
          pending += fields.lazy.map { InputPosition($0.value) }
        }
      case .int, .float, .string, .boolean, .null, .enum: continue
      }
    }
  }
}

/// A value and the type that is expected at its position.
private struct InputPosition {
  let value: Document.Value
  /// Nil if any value is allowed.
  var type: TypeReference?
  var hasDefault = false
  var isOneOfField = false

  init(_ value: Document.Value, type: TypeReference? = nil) {
    self.value = value
    self.type = type
  }

  init(_ value: Document.Value, of definition: InputValueDefinition?, isOneOfField: Bool = false) {
    self.init(value, type: definition?.type)
    hasDefault = definition?.defaultValue != nil
    self.isOneOfField = isOneOfField
  }
}

extension OperationType {
  fileprivate var directiveLocation: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}
