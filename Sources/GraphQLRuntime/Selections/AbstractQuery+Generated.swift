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
