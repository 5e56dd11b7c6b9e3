// What the bodies of generated builder methods call.
extension GraphQL.AbstractQuery {
  /// Names the operation and applies directives to it.
  public final func _begin<Schema>(_ name: String?, _ directives: [GraphQL.Directive<Schema>]) {
    var applied: [GraphQL.AppliedDirective] = []
    // Not by `map`, which searches for the metadata of generic types even where there is nothing.
    for directive in directives { applied.append(directive.applied) }
    header = GraphQL.OperationHeader(name: name, directives: applied)
  }

  /// Adds a field; the arguments and the child that follow belong to it.
  public final func _field(_ name: String, _ alias: String?) {
    if selections.isEmpty { selections.reserveCapacity(8) }
    if alias == nil, pending == nil {
      selections.append(GraphQL.Selection(plainField: name))
    } else {
      selections.append(
        GraphQL.Selection(field: name, alias: alias, modifiers: takeModifiers()))
    }
  }

  /// Adds an argument to the field that was added last; nil leaves it out.
  public final func _arg(_ name: String, _ value: String?) {
    if let value { add(name, value) }
  }

  public final func _arg(_ name: String, _ value: Int32?) {
    if let value { add(name, value) }
  }

  public final func _arg(_ name: String, _ value: Bool?) {
    if let value { add(name, value) }
  }

  public final func _arg(_ name: String, _ value: GraphQL.ID?) {
    if let value { add(name, value) }
  }

  public final func _arg<Value: GraphQL.InputValue>(_ name: String, _ value: Value?) {
    if let value { add(name, value) }
  }

  /// A builder for the selection set of the field that was added last.
  public final func _child<Child: GraphQL.AbstractQuery>() -> Child {
    let child = Child()
    selections[selections.count - 1].child = child
    return child
  }

  /// A builder for what is selected on objects of one type (specification: 2.8.2 Inline
  /// Fragments).
  public final func _on<Child: GraphQL.AbstractQuery>(_ type: String) -> Child {
    selections.append(GraphQL.Selection(inlineFragment: type, modifiers: takeModifiers()))
    return _child()
  }

  /// Applies a directive to what follows.
  public final func _directive<Schema>(_ directive: GraphQL.Directive<Schema>) {
    apply(directive.applied)
  }

  final func apply(_ directive: GraphQL.AppliedDirective) {
    pending = pending ?? GraphQL.Modifiers()
    pending?.directives.append(directive)
  }

  private final func add(_ name: String, _ value: any GraphQL.InputValue) {
    selections[selections.count - 1].arguments.append(GraphQL.Argument(name: name, value: value))
  }

  final func takeModifiers() -> GraphQL.Modifiers? {
    guard let modifiers = pending else { return nil }
    pending = nil
    return modifiers
  }
}
