// The functions that the bodies of generated builder methods call.
extension GraphQL.AbstractQuery {
  /// Names the operation and applies directives to it.
  public final func _begin<Schema>(_ name: String?, _ directives: [GraphQL.Directive<Schema>]) {
    var applied: [GraphQL.AppliedDirective] = []
    // This does not use `map` or `isEmpty`, which look up the metadata of generic types even for
    // empty values.
    if directives.count > 0 {
      for directive in directives { applied.append(directive.applied) }
    }
    shared.tree.header = GraphQL.OperationHeader(name: name, directives: applied)
  }

  /// Adds a field; the arguments and the child that follow belong to it.
  public final func _field(_ name: StaticString, _ alias: String?) {
    shared.tree.addField(name, alias: alias, to: owner)
  }

  /// Adds an argument to the field that was added last; nil leaves the argument out.
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

  /// Adds a field without arguments that returns objects, and creates a builder for their
  /// selection. This is one call instead of two, since generated modules have a thousand of these.
  public final func _child<Child: GraphQL.AbstractQuery>(
    _ name: StaticString, _ alias: String?
  ) -> Child {
    _field(name, alias)
    return _child()
  }

  /// A builder for the selection set of the field that was added last.
  public final func _child<Child: GraphQL.AbstractQuery>() -> Child {
    let child = Child()
    child.join(shared, below: shared.tree.openChild(of: owner))
    return child
  }

  /// A builder for what is selected on objects of one type (specification: 2.8.2 Inline
  /// Fragments).
  public final func _on<Child: GraphQL.AbstractQuery>(_ type: StaticString) -> Child {
    shared.tree.addFragment(.inlineFragment, on: type, to: owner)
    return _child()
  }

  /// Applies a directive to the next selection.
  public final func _directive<Schema>(_ directive: GraphQL.Directive<Schema>) {
    apply(directive.applied)
  }

  final func apply(_ directive: GraphQL.AppliedDirective) {
    shared.tree.modify(owner) { $0.directives.append(directive) }
  }

  private final func add(_ name: String, _ value: consuming any GraphQL.InputValue) {
    shared.tree.append(GraphQL.Argument(name: name, value: value), of: owner)
  }
}
