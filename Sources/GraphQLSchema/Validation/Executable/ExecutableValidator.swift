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
