/// The rules of chapter 5, one function each; a file holds those of one section.
///
/// One traversal visits every node with the type that is expected there. It calls the rules that
/// look at one node and notes what each definition uses; the rules about whole definitions follow.
/// Rules about applied arguments, values and directives (sections 5.4, 5.6, 5.7) are those of
/// `DirectiveChecker`, since type-system documents keep them too.
struct ExecutableValidator {
  /// How many steps the rules whose time may outgrow the document take before they give up.
  var maximumSteps = 5_000_000

  let schema: Schema
  let document: Document
  let operations: [OperationDefinition]
  let fragments: [FragmentDefinition]
  /// Positions in `fragments` by name; of fragments with the same name the first one counts.
  let fragmentPositions: [String: Int]
  var checker: DirectiveChecker

  /// What the traversal has found in each of `operations`.
  var operationUses: [DefinitionUses] = []
  /// What the traversal has found in each of `fragments`.
  var fragmentUses: [DefinitionUses] = []
  /// The fields of all selection sets, for field merging.
  var selections = SelectionGraph()
  /// Whether two composite types can have an object in common, by their names.
  var overlaps: [TypePair: Bool] = [:]
  /// What the definition that is being traversed uses.
  var uses = DefinitionUses()
  /// The selection sets of that definition that are still to be visited.
  var pending: [PendingSelectionSet] = []

  var diagnostics: DiagnosticCollector {
    get { checker.diagnostics }
    _modify { yield &checker.diagnostics }
  }

  init(document: Document, schema: Schema) {
    self.schema = schema
    self.document = document
    operations = document.operations
    fragments = document.fragments
    fragmentPositions = Dictionary(
      zip(fragments.map(\.name), fragments.indices), uniquingKeysWith: { first, _ in first })
    checker = DirectiveChecker(
      schema: schema, diagnostics: DiagnosticCollector(sources: document.source.map { [$0] } ?? []))
  }

  mutating func validate() {
    executableDefinitions()

    operationTypes()
    uniqueOperationNames()
    loneAnonymousOperation()
    singleRootField()

    uniqueFragmentNames()
    traverse()
    usedFragments()
    fragmentCycles()

    fieldMerging()

    variablesOfOperations()
  }
}

/// What an operation or fragment uses, without what the fragments it spreads use.
struct DefinitionUses {
  var variables: [VariableUsage] = []
  var spreads: [(span: Span, fragment: Int)] = []
  /// The definition's selection set.
  var selectionSet = 0
}

/// A selection set that the traversal still has to visit.
struct PendingSelectionSet {
  let selectionSet: SelectionSet
  /// The type in scope; nil if it is unknown.
  let parent: NamedType?
  /// Where its fields and spreads are noted: an inline fragment's with those around it.
  let node: Int
}

/// A variable in a value (section 5.8).
struct VariableUsage {
  let name: String
  let span: Span
  /// The type of the value that is expected there; nil where any value may stand.
  let type: TypeReference?
  /// Whether it stands for an argument or input field that has a default value.
  let hasLocationDefault: Bool
  /// Whether it stands for a field of a OneOf input object.
  let isOneOfField: Bool
}
