import GraphJSON

extension GraphQL {
  /// A query, mutation or subscription that is ready to be sent, with all that is needed to read
  /// its response.
  ///
  /// An operation is a value: later changes to the builder do not affect it. Every argument value
  /// is a variable in the document. So the text is the same for every set of present arguments,
  /// which persisted queries and a server's plan cache require.
  public struct Operation<Root: ResponseRoot>: Sendable {
    /// Query, mutation or subscription.
    public let kind: OperationType
    /// The operation's name in the document, to be sent as `operationName`.
    public let name: String?
    /// The document's text, to be sent as `query`.
    public let document: String
    /// The variables as a JSON object, to be sent as `variables`; `{}` when there are none.
    public let variables: [UInt8]
    /// The files to send with it, by their paths in the variables (`variables.file1`).
    public let uploads: [(path: String, upload: Upload)]
    package let content: FrozenSelection
    /// The directives that are not sent, in the order of the document. Only an operation of a document has some.
    public var clientDirectives: [ClientDirective] { content.clientDirectives }

    /// The SHA-256 of ``document`` in hexadecimal, if the generator has computed it.
    package var documentHash: String? { content.documentHash }
  }

  /// The parts of an operation that a response needs.
  // Safe: all stored properties are constants of Sendable types.
  package final class FrozenSelection: LazyParts, @unchecked Sendable {
    let kind: OperationType
    package let schema: SchemaTable?
    /// Set if the selections are unchanged since printing: a plan depends only on them, and so does
    /// the document.
    private let plain: (request: PrintedRequest, arguments: [[PlacedArgument]])?
    private let typed: TypedSelection?

    init(kind: OperationType, schema: SchemaTable?, selectionSet: SelectionSet) {
      self.kind = kind
      self.schema = schema
      plain = nil
      typed = nil
      super.init()
      keep(selectionSet, as: .first)
    }

    /// The content of a printed request, with its own arguments.
    init(_ request: PrintedRequest, arguments: [[PlacedArgument]], schema: SchemaTable) {
      kind = request.kind
      self.schema = schema
      plain = (request, arguments)
      typed = nil
    }

    /// The content of a typed operation.
    init(_ typed: TypedSelection, kind: OperationType) {
      self.kind = kind
      schema = typed.document.schema
      plain = nil
      self.typed = typed
    }

    var documentHash: String? { typed?.document.hash }
    var clientDirectives: [ClientDirective] { typed?.document.clientDirectives ?? [] }

    /// The selections. They are created on first use, so not for a request that is only printed or
    /// gets no response.
    package var selectionSet: SelectionSet {
      if let set = existing(Part<SelectionSet>.first) { return set }
      // One of the two is set.
      return keep(
        plain.map { $0.request.selections.frozen($0.arguments) } ?? typed?.selectionSet
          ?? SelectionSet(type: nil, entries: []), as: .first)
    }

    /// The plans that all operations with this document share; nil if there is no schema to check against.
    var sharedPlan: SharedResponsePlan? {
      guard let schema else { return nil }
      return typed?.variant.plan ?? existing(Part<SharedResponsePlan>.second)
        ?? keep(
          plain.map { schema.requestCaches.plan(of: $0.request.document) } ?? SharedResponsePlan(),
          as: .second)
    }

    /// Calls `body` with exclusive access to the plan for the root. Returns nil without calling
    /// `body` if there is no schema to check against.
    func withPlan<T, E: Error>(_ body: (ResponsePlan) throws(E) -> T) throws(E) -> T? {
      guard let schema, let shared = sharedPlan, let plan = shared.take() ?? makePlan(in: schema)
      else { return nil }
      defer { shared.put(plan) }
      return try body(plan)
    }

    /// The part that is shared with other operations has no values of this one.
    private func makePlan(in schema: SchemaTable) -> ResponsePlan? {
      if let typed { return typed.variant.makePlan(in: schema) }
      let set = plain?.request.selections.frozen(nil) ?? selectionSet
      return set.type.map { type in
        ResponsePlan(
          check: CheckPlan(CollectedFields([set], of: type, in: schema), in: schema), records: nil,
          parsing: ParsingState())
      }
    }
  }

  /// A builder of whole operations. Root builder classes adopt it through ``QueryBuilder``,
  /// ``MutationBuilder`` or ``SubscriptionBuilder``.
  public protocol OperationBuilder: AbstractQuery, OperationRepresentable
  where Response: AbstractResponse {}

  /// The builder of a schema's query root.
  public protocol QueryBuilder: OperationBuilder, QueryRepresentable {}
  /// The builder of a schema's mutation root.
  public protocol MutationBuilder: OperationBuilder, MutationRepresentable {}
  /// The builder of a schema's subscription root.
  public protocol SubscriptionBuilder: OperationBuilder, SubscriptionRepresentable {}
}

extension GraphQL.OperationBuilder {
  /// The operation with the current selections.
  ///
  /// - Throws: ``GraphQL/InvalidQuery`` with every problem of the selection.
  public func operation() throws(GraphQL.InvalidQuery) -> GraphQL.Operation<Response> {
    if let operation = plainOperation() { return operation }
    let frozen = freeze(Self.operationKind)
    var problems = frozen.problems
    var printer = GraphQL.DocumentPrinter(
      .request, schema: frozen.content.schema, equalFields: frozen.equalFields)
    printer.print(Self.operationKind, frozen.content.selectionSet, header: header)
    problems += printer.problems
    guard problems.isEmpty else { throw GraphQL.InvalidQuery(problems: problems) }
    return GraphQL.Operation(
      kind: Self.operationKind, name: header?.name, document: printer.document,
      variables: printer.variables, uploads: printer.uploads, content: frozen.content)
  }

  /// The operation, if its selections need no merging and have no problem.
  func plainOperation() -> GraphQL.Operation<Response>? {
    let kind = Self.operationKind
    let header = header
    guard kind != .subscription, let schema = Self.schema else { return nil }
    let hasDirectives = !(header?.directives.isEmpty ?? true)
    if !hasDirectives, let operation = printedOperation(kind, header?.name, schema) {
      return operation
    }
    guard let type = schema.type(of: Self.self), header?.name.map(GraphQL.Name.isValid) ?? true
    else { return nil }
    var arguments: [[GraphQL.PlacedArgument]] = []
    guard
      let selections = GraphQL.PlainSelections(self, of: type, in: schema, arguments: &arguments)
    else { return nil }
    var printer = GraphQL.DocumentPrinter(.request, schema: schema)
    printer.begin(header)
    guard printer.printPlain(selections, arguments), printer.problems.isEmpty else { return nil }
    printer.end(kind, header)
    let request = GraphQL.PrintedRequest(
      kind: kind, name: header?.name, document: printer.document, selections: selections,
      variables: printer.plainVariables)
    if !hasDirectives, request.isRepeatable {
      schema.requestCaches.printedRequests.withLock { $0.keep(request) }
    }
    return GraphQL.Operation(
      request, arguments: arguments, variables: printer.variables, uploads: printer.uploads,
      in: schema)
  }

  /// The operation, if one with the same selections was printed before.
  private func printedOperation(
    _ kind: GraphQL.OperationType, _ name: String?, _ schema: GraphQL.SchemaTable
  ) -> GraphQL.Operation<Response>? {
    let printed = schema.requestCaches.printedRequests.withLock { $0 }
    guard let (request, arguments) = printed.find(kind, named: name, self),
      let variables = request.variables(arguments, in: schema)
    else { return nil }
    return GraphQL.Operation(
      request, arguments: arguments, variables: variables, uploads: [], in: schema)
  }
}

extension GraphQL.Operation {
  /// A request that was printed before, with the current arguments and variables.
  fileprivate init(
    _ request: GraphQL.PrintedRequest, arguments: [[GraphQL.PlacedArgument]], variables: [UInt8],
    uploads: [(path: String, upload: GraphQL.Upload)], in schema: GraphQL.SchemaTable
  ) {
    self.init(
      kind: request.kind, name: request.name, document: request.document, variables: variables,
      uploads: uploads,
      content: GraphQL.FrozenSelection(request, arguments: arguments, schema: schema))
  }
}

extension GraphQL.AbstractQuery {
  final func freeze(
    _ kind: GraphQL.OperationType
  ) -> (
    content: GraphQL.FrozenSelection, problems: [GraphQL.InvalidQuery.Problem],
    equalFields: GraphQL.EqualFields
  ) {
    let schema = Self.schema
    var merger = GraphQL.SelectionMerger(schema: schema)
    if let name = header?.name, !GraphQL.Name.isValid(name) {
      merger.report("`\(name)` is not an operation name: use letters, digits and `_`")
    }
    let type = schema?.type(of: Self.self)
    let set = merger.selectionSet(
      [GraphQL.SelectionList(self)], of: type,
      isRoot: header != nil || self is any GraphQL.OperationBuilder)
    if kind == .subscription, let problem = set.subscriptionProblem { merger.report(problem) }
    var overlap = GraphQL.OverlapCheck()
    if merger.hasFragments {
      overlap.check(set)
      merger.report(overlap.conflicts)
    }
    return (
      GraphQL.FrozenSelection(kind: kind, schema: schema, selectionSet: set),
      merger.problems, overlap.equalFields
    )
  }
}

extension GraphQL.SelectionSet {
  /// Specification: 5.2.4.1 Single Root Field.
  fileprivate var subscriptionProblem: String? {
    var names: Set<String> = []
    var visited: Set<ObjectIdentifier> = []
    var isConditional = false
    func gather(_ set: GraphQL.SelectionSet) {
      for entry in set.entries {
        switch entry {
        case .field(let field):
          names.insert(field.responseName)
          isConditional = isConditional || field.directives.isConditional
        case .inlineFragment(_, let directives, let inner):
          isConditional = isConditional || directives.isConditional
          gather(inner)
        case .spread(let fragment, let directives):
          isConditional = isConditional || directives.isConditional
          if visited.insert(ObjectIdentifier(fragment)).inserted { gather(fragment.selectionSet) }
        }
      }
    }
    gather(self)
    if names.count > 1 || names.contains("__typename") {
      return "a subscription selects exactly one root field"
    }
    return isConditional ? "the root field of a subscription cannot have @include or @skip" : nil
  }
}

extension GraphQL {
  /// A value that can be sent as an operation: a builder, or the generated type of an operation in a document.
  public protocol OperationRepresentable {
    /// The type of the response's data.
    associatedtype Response: ResponseRoot

    /// The kind of the operation.
    static var operationKind: OperationType { get }

    /// The operation, ready to be sent.
    ///
    /// - Throws: ``GraphQL/InvalidQuery`` with every problem.
    func operation() throws(InvalidQuery) -> Operation<Response>
  }

  /// A query.
  public protocol QueryRepresentable: OperationRepresentable {}
  /// A mutation.
  public protocol MutationRepresentable: OperationRepresentable {}
  /// A subscription.
  public protocol SubscriptionRepresentable: OperationRepresentable {}
}

extension GraphQL.QueryRepresentable {
  public static var operationKind: GraphQL.OperationType { .query }
}

extension GraphQL.MutationRepresentable {
  public static var operationKind: GraphQL.OperationType { .mutation }
}

extension GraphQL.SubscriptionRepresentable {
  public static var operationKind: GraphQL.OperationType { .subscription }
}

extension GraphQL.Operation: CustomReflectable {
  /// Kind, name and document. The variables, which may be secrets, are not shown.
  public var customMirror: Mirror {
    Mirror(self, children: ["kind": kind, "name": name as Any, "document": document])
  }
}

extension GraphQL.FrozenSelection: CustomReflectable {
  /// The kind. Mirrors of a response also reach this mirror, and the selections contain the
  /// arguments.
  package var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}

extension GraphQL.AbstractQuery: CustomStringConvertible {
  /// The operation or selection set as readable GraphQL, with the argument values inline.
  public final var description: String {
    let kind = (Self.self as? any GraphQL.OperationBuilder.Type)?.operationKind ?? .query
    var printer = GraphQL.DocumentPrinter(.readable, schema: Self.schema)
    printer.print(kind, freeze(kind).content.selectionSet, header: header)
    return printer.document
  }
}

extension GraphQL.Fragment {
  /// A document with the fragment, and with those that it spreads. Its operation has no meaning.
  ///
  /// - Throws: ``GraphQL/InvalidQuery`` for selections that cannot be sent, and for values without a literal form.
  package func text() throws(GraphQL.InvalidQuery) -> String {
    let printer = definition.printed()
    let problems = definition.problems + printer.problems
    guard problems.isEmpty else { throw GraphQL.InvalidQuery(problems: problems) }
    return printer.document
  }
}

extension GraphQL.Operation where Root == GraphQL.AbstractResponse {
  /// An operation that is created from its stored text, for example after a restart of the program.
  /// Its selections are not known, so its responses are read without a check against the schema.
  package init(
    kind: GraphQL.OperationType, name: String?, document: String, variables: [UInt8],
    uploads: [(path: String, upload: GraphQL.Upload)] = []
  ) {
    self.init(
      kind: kind, name: name, document: document, variables: variables, uploads: uploads,
      content: GraphQL.FrozenSelection(
        kind: kind, schema: nil, selectionSet: GraphQL.SelectionSet(type: nil, entries: [])))
  }

  /// A mutation that is created from its stored text with its selections; nil if `schema` does not have all of them.
  package init?(
    mutation document: String, name: String?, variables: [UInt8], schema: GraphQL.SchemaTable
  ) {
    guard let stored = GraphQL.StoredDocument(document),
      let values = try? JSON(parsing: variables),
      let set = stored.selections(in: schema, variables: values)
    else { return nil }
    self.init(
      kind: .mutation, name: name, document: document, variables: variables, uploads: [],
      content: GraphQL.FrozenSelection(kind: .mutation, schema: schema, selectionSet: set))
  }
}

extension GraphQL.Operation {
  /// Whether a response alone shows where its values are stored: no field has an alias, and none
  /// below the root fields has arguments.
  package var isStoredByNames: Bool {
    let fields = content.rootFields
    var walk = GraphQL.SelectionWalk()
    return fields.allSatisfy { field in
      guard field.responseName == field.name else { return false }
      return field.selectionSet.map { set in
        walk.allSatisfy(set) { field in
          field.arguments.isEmpty && field.rawArguments == nil && field.responseName == field.name
        }
      } ?? true
    }
  }

  /// The name of the root's type; nil if the selections are not known.
  package var rootTypeName: String? { content.selectionSet.type?.name }

  /// The names of the root fields, sorted.
  package var rootFields: [String] { Set(content.rootFields.map(\.name)).sorted() }
}

extension GraphQL.FrozenSelection {
  fileprivate var rootFields: [GraphQL.SelectionSet.Field] {
    var walk = GraphQL.SelectionWalk()
    return walk.fields(of: selectionSet)
  }
}

extension GraphQL.Operation {
  /// Whether the response may contain objects of types whose policy is `sensitive` or `transient`;
  /// such a response is never written to disk.
  package func isSensitive(_ response: GraphQL.Response<Root>) -> Bool {
    guard let schema = content.schema else { return false }
    let sensitive = schema.sensitiveTypes
    if sensitive.isEmpty { return false }
    var walk = GraphQL.SelectionWalk()
    if walk.contains(content.selectionSet, type: sensitive.contains) { return true }
    return response.data?._stored.json.names(sensitive) ?? false
  }
}

extension JSONDocument {
  /// Whether a string of the document is one of `names`, as the `__typename` of an object behind an
  /// abstract type is.
  fileprivate func names(_ names: Set<String>) -> Bool {
    var index = firstChild(of: JSONDocument.rootIndex)
    let end = end(of: JSONDocument.rootIndex)
    while index < end {
      switch kind(at: index) {
      case .array, .object: index = firstChild(of: index)
      case .string where names.contains(string(at: index)): return true
      default: index = next(after: index)
      }
    }
    return false
  }
}

extension GraphQL.FrozenSelection: GraphQL.SelectedFields {
  func selects(
    _ responseName: String, at path: [GraphQL.ResponsePathElement], below root: Int,
    in document: GraphQL.ResponseDocument
  ) -> Bool {
    guard let schema, let (sets, type) = selections(at: path, below: root, in: document) else {
      return false
    }
    return !Self.fields(responseName, in: sets, of: type, schema).isEmpty
  }

  /// The selection sets for the object with that path, and its type.
  func selections(
    at path: [GraphQL.ResponsePathElement], below root: Int, in document: GraphQL.ResponseDocument
  ) -> (sets: [GraphQL.SelectionSet], type: GraphQL.TypeInfo)? {
    guard let schema, var type = selectionSet.type else { return nil }
    let json = document.json
    var sets = [selectionSet]
    var place = root
    for element in path {
      switch element {
      case .index(let position):
        place = json.element(position, of: place)
      case .key(let key):
        let fields = Self.fields(key, in: sets, of: type, schema)
        guard case .composite(let position)? = fields.first?.info?.named,
          let value = json.member(key, of: place)
        else { return nil }
        sets = fields.compactMap(\.selectionSet)
        type = schema.type(at: position)
        place = value
      }
      if json.kind(at: place) == .object {
        type = GraphQL.ValueReader(document: document, index: place).concreteType(of: type) ?? type
      }
    }
    return (sets, type)
  }

  /// The fields of a response name that apply to `type`, in the sets and their fragments.
  private static func fields(
    _ responseName: String, in sets: [GraphQL.SelectionSet], of type: GraphQL.TypeInfo,
    _ schema: GraphQL.SchemaTable
  ) -> [GraphQL.SelectionSet.Field] {
    var found: [GraphQL.SelectionSet.Field] = []
    var visited: Set<ObjectIdentifier> = []
    func gather(_ set: GraphQL.SelectionSet) {
      for entry in set.entries {
        switch entry {
        case .field(let field):
          if field.responseName == responseName { found.append(field) }
        case .inlineFragment(let condition, _, let inner):
          if schema.applies(condition, to: type) { gather(inner) }
        case .spread(let fragment, _):
          if schema.applies(fragment.type?.name ?? type.name, to: type),
            visited.insert(ObjectIdentifier(fragment)).inserted
          {
            gather(fragment.selectionSet)
          }
        }
      }
    }
    for set in sets { gather(set) }
    return found
  }
}

extension GraphQL {
  /// Printed requests of one schema, and plans for checking their responses.
  final class RequestCaches: SchemaCaches {
    /// A program has as many documents as call sites that build one, unless it builds them from
    /// data. In that case plans are created again from time to time, and not kept forever.
    private static let maximumPlanCount = 256

    let printedRequests = Locked(PrintedRequests())
    private let plans = Locked<[String: SharedResponsePlan]>([:])
    private let documents = Locked<[DocumentKey: LoadedDocument]>([:])

    /// The addresses of literals. Operations of two modules may have one text, and differ in what is not sent.
    private struct DocumentKey: Hashable {
      let text: UInt
      let directives: UInt?
    }

    /// The plan that plain operations with the text `document` share.
    func plan(of document: String) -> SharedResponsePlan {
      plans.withLock { plans in
        if let known = plans[document] { return known }
        if plans.count >= Self.maximumPlanCount { plans.removeAll() }
        let plan = SharedResponsePlan()
        plans[document] = plan
        return plan
      }
    }

    /// The document with a generated text.
    // Safe: the addresses of the literals are compared, nothing is read.
    func loaded(_ document: DocumentText) -> LoadedDocument {
      let key = DocumentKey(
        text: UInt(bitPattern: unsafe document.text.utf8Start),
        directives: document.directives.map { UInt(bitPattern: unsafe $0.utf8Start) })
      return documents.withLock { documents in
        if let known = documents[key] { return known }
        let loaded = LoadedDocument(document)
        documents[key] = loaded
        return loaded
      }
    }
  }
}

extension GraphQL.SchemaTable {
  /// - Parameters:
  ///   - name: the generated namespace.
  ///   - table: the text described above.
  ///   - queries: the builder class of each object, interface and union, in the table's order.
  ///   - responses: the response class of each, in the same order.
  ///   - scalars: the Swift types of custom scalars.
  public convenience init(
    name: String, table: StaticString, queries: [GraphQL.AbstractQuery.Type],
    responses: [GraphQL.AbstractResponse.Type], scalars: [GraphQL.ScalarBinding]
  ) {
    self.init(
      name: name, table: table, builders: queries, responses: responses, scalars: scalars,
      caches: GraphQL.RequestCaches())
  }

  /// ``caches``, which the initialiser above has set.
  var requestCaches: GraphQL.RequestCaches {
    guard let caches = caches as? GraphQL.RequestCaches else {
      preconditionFailure("a schema table has no caches for requests")
    }
    return caches
  }
}
