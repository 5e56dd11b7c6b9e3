extension GraphQL {
  /// A selection set under construction (specification: 2.4 Selection Sets). Generated builder
  /// classes derive from it.
  ///
  /// Methods that select a field return the builder, so you can chain selections. Errors that the
  /// compiler cannot find (one response name for two different fields, a null for a non-null
  /// argument) are collected and reported when the operation is created: see ``InvalidQuery``.
  ///
  /// A builder is a mutable object for one task; the ``Operation`` that is sent is a value.
  open class AbstractQuery {
    /// The schema of the generated module; nil for a raw query.
    open class var schema: SchemaTable? { nil }

    /// The selections of this builder and of the builders around it.
    private(set) final lazy var shared = SharedSelectionTree()
    /// The selection of the tree below which this builder selects; 0 for the one that created it.
    private(set) final var owner: Int32 = 0

    public required init() {}

    /// Makes this new builder select below a selection of another one.
    final func join(_ shared: SharedSelectionTree, below owner: Int32) {
      self.shared = shared
      self.owner = owner
    }

    /// The selections of this builder.
    final var list: SelectionList { SelectionList(shared: shared, owner: owner) }

    /// The name and directives of the operation, if this builder is its root.
    final var header: OperationHeader? { owner == 0 ? shared.tree.header : nil }
  }

  /// The name and directives of an operation.
  struct OperationHeader {
    var name: String?
    var directives: [AppliedDirective]
  }
}

extension GraphQL.AbstractQuery {
  /// Selects the name of the object's type (specification: 3.2.2 Type Name Introspection).
  ///
  /// For an abstract type, this field is selected automatically.
  @discardableResult
  public final func __typename(alias: String? = nil) -> Self {
    _field("__typename", alias)
    return self
  }

  /// Sends an argument of the next field as an explicit null. An argument that is nil is left out
  /// instead.
  @discardableResult
  public final func null(_ arguments: String...) -> Self {
    shared.tree.modify(owner) { $0.nulls += arguments }
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
