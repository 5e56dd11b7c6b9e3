extension GraphQL {
  /// A selection set under construction (specification: 2.4 Selection Sets). Generated builder
  /// classes derive from it.
  ///
  /// Methods that select a field return the builder, so you can chain selections. Errors that the
  /// compiler cannot find (one response name for two different fields, a null for a non-null
  /// argument) are collected and reported when the operation is created: see ``InvalidQuery``.
  ///
  /// A builder is a mutable object for one task; the ``Operation`` that is sent is a value. Create it
  /// after the closures for its selections have returned.
  open class AbstractQuery {
    /// The schema of the generated module; nil for a raw query.
    open class var schema: SchemaTable? { nil }

    // Each property is read or written at once and never during a call. So the compiler knows that
    // accesses do not overlap, and does not check that at run time.

    private(set) final var codes = SelectionCodes()
    /// Created when it is needed.
    private(set) final var extras: SelectionExtras?
    /// The selections below, from ``ownParts`` on. They are in one array that passes from a builder
    /// to the one that a closure gets, and back. So nothing counts references.
    private(set) final var parts: [SelectionPart] = []
    private final var ownParts: Int32 = 0
    private final var depth: Int32 = 1
    /// The number of closures that are running for selection sets below and, if this is the builder
    /// of an operation, for its own.
    private final var running: Int32 = 0

    public required init() {}

    /// The name and directives of the operation, if this builder is its root.
    final var header: OperationHeader? { extras?.header }

    /// Whether modifiers were added for a selection that did not follow.
    final var hasPending: Bool { extras?.pending != nil }

    @inline(__always)
    final func append(_ code: UInt8) {
      if let full = codes.append(code) { extend(full) }
    }

    @inline(never)
    private final func extend(_ full: UInt64) { madeExtras().words.append(full) }

    final func add(_ argument: consuming PlacedArgument) {
      // Taken out while it changes, since then nothing counts references.
      var extras: SelectionExtras?
      swap(&extras, &self.extras)
      let made = extras ?? SelectionExtras()
      made.append(argument)
      self.extras = made
    }

    final func madeExtras() -> SelectionExtras {
      if let extras { return extras }
      let made = SelectionExtras()
      extras = made
      return made
    }

    /// Whether a closure for a selection set is running. That of a set below has ``parts``.
    final var isLent: Bool { running > 0 }

    /// Begins the closure for this builder's own selection set.
    final func beginClosure() { running &+= 1 }

    final func endClosure() { running &-= 1 }

    /// The selections below; none while a closure for one of them is running, which has them.
    final var partsBelow: ArraySlice<SelectionPart> { parts.dropFirst(Int(ownParts)) }

    /// Prepares a new builder for the selection set of the selection that was added last.
    @inline(__always)
    final func lend<Child: AbstractQuery>(to child: Child) {
      var parts: [SelectionPart] = []
      swap(&parts, &self.parts)
      child.ownParts = Int32(truncatingIfNeeded: parts.count)
      swap(&parts, &child.parts)
      child.depth = depth &+ 1
      running &+= 1
    }

    /// Takes the selections of a builder whose closure has returned.
    final func finish<Child: AbstractQuery>(_ child: consuming Child, at place: Int) {
      let isStored = !isKnownUniquelyReferenced(&child)
      finish(child, isStored: isStored, at: place)
    }

    /// - Parameter isStored: whether the closure has stored it.
    private final func finish(_ child: AbstractQuery, isStored: Bool, at place: Int) {
      var parts: [SelectionPart] = []
      swap(&parts, &child.parts)
      let first = Int(child.ownParts)
      if !isStored, depth <= SelectionMerger.maximumDepth {
        if parts.isEmpty { parts.reserveCapacity(24) }
        var extras: SelectionExtras?
        swap(&extras, &child.extras)
        parts.append(
          SelectionPart(
            codes: child.codes, place: Int32(truncatingIfNeeded: place),
            size: Int32(truncatingIfNeeded: parts.count &- first &+ 1), extras: extras))
      } else {
        keep(child, at: place, &parts, first)
      }
      running &-= 1
      swap(&parts, &self.parts)
      if !parts.isEmpty { append(parts) }
    }

    /// Appends the parts of closures that ran in the closure that now has returned.
    @inline(never)
    private final func append(_ others: [SelectionPart]) {
      let parts = parts + others
      self.parts = parts
    }

    /// Takes a builder that the closure has stored. A builder below the maximum depth is left out, since
    /// the merger reports the ones above it. So freeing it does not recurse deeply.
    @inline(never)
    private final func keep(
      _ child: AbstractQuery, at place: Int, _ parts: inout [SelectionPart], _ first: Int
    ) {
      child.parts = Array(parts[first...])
      child.ownParts = 0
      parts.removeSubrange(first...)
      if depth <= SelectionMerger.maximumDepth { madeExtras().attached[place] = child }
    }
  }
}

extension GraphQL.AbstractQuery {
  /// Selects the name of the object's type (specification: 3.2.2 Type Name Introspection).
  ///
  /// For an abstract type, this field is selected automatically.
  @discardableResult
  public final func __typename(alias: String? = nil) -> Self {
    if alias == nil, !hasPending {
      append(GraphQL.SelectionCodes.typename)
    } else {
      describe(GraphQL.SelectionDetails(name: "__typename", alias: alias))
    }
    return self
  }

  /// Sends an explicit null for arguments of the next field, by their names in the schema.
  @discardableResult
  public final func null(_ arguments: String...) -> Self {
    modify { $0.nulls += arguments }
    return self
  }

  /// Selects the next field or fragment only if `condition` is true (specification: 3.13.2
  /// @include).
  @discardableResult
  public final func include(if condition: Bool) -> Self {
    apply(.condition("include", condition))
    return self
  }

  /// Leaves out the next field or fragment if `condition` is true (specification: 3.13.1 @skip).
  @discardableResult
  public final func skip(if condition: Bool) -> Self {
    apply(.condition("skip", condition))
    return self
  }
}

// The functions that the bodies of generated builder methods call.
extension GraphQL.AbstractQuery {
  /// Names the operation and applies directives to it, before the closure that selects its fields.
  public final func _begin<Schema>(_ name: String?, _ directives: [GraphQL.Directive<Schema>]) {
    var applied: [GraphQL.AppliedDirective] = []
    // This does not use `map` or `isEmpty`, which look up the metadata of generic types even for
    // empty values.
    if directives.count > 0 {
      for directive in directives { applied.append(directive.applied) }
    }
    madeExtras().header = GraphQL.OperationHeader(name: name, directives: applied)
    beginClosure()
  }

  /// Ends the selection of the operation's fields.
  public final func _end() { endClosure() }

  /// Adds the field at a position of the type's lines in the table. The arguments and the child
  /// that follow belong to it.
  public final func _field(_ position: Int, _ alias: String?) {
    if alias == nil, position <= GraphQL.SelectionCodes.maximumPosition, !hasPending {
      append(UInt8(truncatingIfNeeded: position))
    } else {
      describe(GraphQL.SelectionDetails(position: position, alias: alias))
    }
  }

  /// Adds a field by name, for builders that are not generated.
  public final func _field(_ name: StaticString, _ alias: String?) {
    let name = name.description
    let builder = type(of: self)
    if let position = builder.schema?.type(of: builder)?.position(of: name) {
      _field(position, alias)
    } else if name == "__typename" {
      __typename(alias: alias)
    } else {
      describe(GraphQL.SelectionDetails(name: name, alias: alias))
    }
  }

  /// Adds an argument to the field that was added last; nil leaves the argument out.
  public final func _arg(_ name: String, _ value: String?) {
    if let value { add(name, value) }
  }

  public final func _arg(_ name: String, _ value: Int?) {
    if let value { add(name, value) }
  }

  public final func _arg(_ name: String, _ value: Bool?) {
    if let value { add(name, value) }
  }

  public final func _arg(_ name: String, _ value: GraphQL.ID?) {
    if let value { add(name, value) }
  }

  /// Inlined, since looking up the metadata of an optional takes longer than adding an argument.
  @inlinable
  public final func _arg<Value: GraphQL.InputValue>(_ name: String, _ value: Value?) {
    if let value { _add(name, value) }
  }

  public final func _add<Value: GraphQL.InputValue>(_ name: String, _ value: Value) {
    add(name, value)
  }

  /// Adds a field without arguments that returns objects, and its selection set. This is one call
  /// instead of two, since generated modules have a thousand of these.
  public final func _child<Child: GraphQL.AbstractQuery>(
    _ position: Int, _ alias: String?, _ subfields: (Child) -> Void
  ) {
    _field(position, alias)
    _child(subfields)
  }

  /// Adds the selection set of the field that was added last.
  public final func _child<Child: GraphQL.AbstractQuery>(_ subfields: (Child) -> Void) {
    let place = codes.count - 1
    let child = Child()
    lend(to: child)
    subfields(child)
    finish(child, at: place)
  }

  /// Adds the selections on objects of one type (specification: 2.8.2 Inline Fragments).
  public final func _on<Child: GraphQL.AbstractQuery>(
    _ type: StaticString, _ subfields: (Child) -> Void
  ) {
    describe(GraphQL.SelectionDetails(kind: .inlineFragment, name: type.description))
    _child(subfields)
  }

  /// Applies a directive to the next selection.
  public final func _directive<Schema>(_ directive: GraphQL.Directive<Schema>) {
    apply(directive.applied)
  }

  final func apply(_ directive: GraphQL.AppliedDirective) {
    modify { $0.directives.append(directive) }
  }

  /// Changes the modifiers for the next selection.
  final func modify(_ change: (inout GraphQL.Modifiers) -> Void) {
    let extras = madeExtras()
    var modifiers = extras.pending ?? GraphQL.Modifiers()
    change(&modifiers)
    extras.pending = modifiers
  }

  /// Adds a selection with its details and the modifiers before it.
  final func describe(_ details: GraphQL.SelectionDetails) {
    let extras = madeExtras()
    var details = details
    details.modifiers = extras.pending
    extras.pending = nil
    extras.details.append(details)
    append(GraphQL.SelectionCodes.described)
  }

  private final func add(_ name: String, _ value: consuming any GraphQL.InputValue) {
    add(
      GraphQL.PlacedArgument(
        place: codes.count - 1, argument: GraphQL.Argument(name: name, value: value)))
  }
}

extension GraphQL.AbstractQuery {
  /// Adds a field by name, without checks by the compiler.
  ///
  /// - Parameters:
  ///   - field: the field's name in the schema.
  ///   - aliasSuffix: makes the response name `field__aliasSuffix`.
  ///   - args: arguments as GraphQL text with the parentheses, `(first: 10)`. The text is sent
  ///     unchanged; pass values that come from a user as typed arguments.
  ///   - subfields: the field's selection set. Later changes to it are part of this query.
  public final func addField(
    field: String, aliasSuffix: String? = nil, args: String? = nil,
    subfields: GraphQL.AbstractQuery? = nil
  ) {
    describe(GraphQL.SelectionDetails(name: field, alias: aliasSuffix, rawArguments: args))
    if let subfields { madeExtras().attached[codes.count - 1] = subfields }
  }
}

extension GraphQL {
  /// A query that cannot be sent, with all of its problems.
  public struct InvalidQuery: Error, Hashable, Sendable, CustomStringConvertible {
    /// One problem.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
      /// A description of the error, and how to fix it.
      public let message: String
      /// Response names from the root to the selection, in a fragment after `...` and its name;
      /// empty for the operation itself.
      public let path: [String]

      public var description: String {
        path.isEmpty ? message : "\(path.joined(separator: ".")): \(message)"
      }
    }

    /// At least one.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
  }
}

extension GraphQL {
  /// A selection that is stored in a value and can be spread in several places (specification: 2.8
  /// Fragments).
  ///
  /// ```swift
  /// let card = Storefront.ProductQuery.fragment("ProductCard") { $0.id().title() }
  /// let query = Storefront.buildQuery {
  ///   $0.products(first: 3) { $0.nodes { $0.spread(card) } }
  /// }
  /// ```
  public struct Fragment<Query: AbstractQuery>: Sendable {
    let definition: FragmentDefinition

    /// The fragment's name in the document.
    public var name: String { definition.name }

    /// The type on which the fragment is.
    package var typeName: String? { definition.type?.name }
  }

  /// A named fragment, frozen.
  final class FragmentDefinition: Sendable {
    let name: String
    let schema: SchemaTable?
    /// nil when the builder class belongs to no schema.
    let type: TypeInfo?
    let selectionSet: SelectionSet
    let problems: [InvalidQuery.Problem]

    init(
      name: String, schema: SchemaTable?, type: TypeInfo?, selectionSet: SelectionSet,
      problems: [InvalidQuery.Problem]
    ) {
      self.name = name
      self.schema = schema
      self.type = type
      self.selectionSet = selectionSet
      self.problems = problems
    }

    /// The fragment without its selections, used in place of an invalid one.
    var emptied: FragmentDefinition {
      FragmentDefinition(
        name: name, schema: schema, type: type,
        selectionSet: SelectionSet(type: type, entries: []), problems: problems)
    }

    func with(_ problems: [InvalidQuery.Problem]) -> FragmentDefinition {
      FragmentDefinition(
        name: name, schema: schema, type: type, selectionSet: selectionSet, problems: problems)
    }
  }

  /// The parts of ``AbstractQuery`` for extensions that need the concrete builder class.
  public protocol FragmentBuilder: AbstractQuery {}
}

extension GraphQL.AbstractQuery: GraphQL.FragmentBuilder {
  /// Spreads a fragment here. Its type and this one must have an object type in common
  /// (specification: 5.5.2.3 Fragment Spread Is Possible).
  @discardableResult
  public final func spread<Query>(_ fragment: GraphQL.Fragment<Query>) -> Self {
    describe(GraphQL.SelectionDetails(kind: .spread(fragment.definition), name: ""))
    return self
  }
}

extension GraphQL.FragmentBuilder {
  /// Stores a selection as a named fragment on this type.
  ///
  /// - Parameters:
  ///   - name: the fragment's name, one per document.
  ///   - build: selects the fields; it runs once, immediately.
  public static func fragment(_ name: String, _ build: (Self) -> Void) -> GraphQL.Fragment<Self> {
    let query = Self()
    build(query)
    let type = schema?.type(of: Self.self)
    var merger = GraphQL.SelectionMerger(schema: schema, path: ["...\(name)"])
    if !GraphQL.Name.isValid(name) || name == "on" {
      merger.report("`\(name)` is not a fragment name: use letters, digits and `_`, but not `on`")
    }
    if type == nil {
      merger.report("a fragment is made from a generated builder class, which names its type")
    }
    let set = merger.selectionSet([GraphQL.SelectionList(query)], of: type, isRoot: true)
    return GraphQL.Fragment(
      definition: GraphQL.FragmentDefinition(
        name: name, schema: schema, type: type, selectionSet: set, problems: merger.problems))
  }
}

extension GraphQL {
  /// Visits selections, and each fragment once: the number of paths to a fragment can double with each fragment
  /// that uses another one twice.
  struct SelectionWalk {
    private var visited: Set<ObjectIdentifier> = []

    /// The fields of this level.
    mutating func fields(of set: SelectionSet) -> [SelectionSet.Field] {
      set.entries.flatMap { entry -> [SelectionSet.Field] in
        switch entry {
        case .field(let field): [field]
        case .inlineFragment(_, _, let set): fields(of: set)
        case .spread(let fragment, _):
          visit(fragment) ? fields(of: fragment.selectionSet) : []
        }
      }
    }

    /// Whether all fields pass the test, those of nested objects too.
    mutating func allSatisfy(_ set: SelectionSet, _ test: (SelectionSet.Field) -> Bool) -> Bool {
      !contains(set, type: { _ in false }, field: { !test($0) })
    }

    /// Whether a type of the selections passes the test, or a field, also of nested objects.
    mutating func contains(
      _ set: SelectionSet, type: (String) -> Bool,
      field: (SelectionSet.Field) -> Bool = { _ in false }
    ) -> Bool {
      if let name = set.type?.name, type(name) { return true }
      for entry in set.entries {
        let inner: SelectionSet?
        switch entry {
        case .field(let selected):
          if field(selected) { return true }
          inner = selected.selectionSet
        case .inlineFragment(let condition, _, let set):
          if type(condition) { return true }
          inner = set
        case .spread(let fragment, _): inner = visit(fragment) ? fragment.selectionSet : nil
        }
        if let inner, contains(inner, type: type, field: field) { return true }
      }
      return false
    }

    private mutating func visit(_ fragment: FragmentDefinition) -> Bool {
      visited.insert(ObjectIdentifier(fragment)).inserted
    }
  }
}
