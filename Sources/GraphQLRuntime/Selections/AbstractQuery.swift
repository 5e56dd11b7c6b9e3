extension GraphQL {
  /// A selection set under construction (specification: 2.4 Selection Sets). Generated builder
  /// classes derive from it.
  ///
  /// Methods that select a field return the builder, so you can chain selections. Errors that the
  /// compiler cannot find (one response name for two different fields, a null for a non-null
  /// argument) are collected and reported when the operation is created: see ``InvalidQuery``.
  ///
  /// A builder is a mutable object for one task; the ``Operation`` that is sent is a value.
  // Safe: the tree counts its users, of which this is one, and the last one frees it.
  @safe open class AbstractQuery {
    /// The schema of the generated module; nil for a raw query.
    open class var schema: SchemaTable? { nil }

    // Unchecked, because the checks took a fifth of the time of building. Code outside the module
    // has no access to these calls, and a builder belongs to one task.
    @exclusivity(unchecked) private final var known: UnsafeMutablePointer<SelectionTree>?
    /// The selection of the tree below which this builder selects; none in a tree of its own.
    @exclusivity(unchecked) private(set) final var owner = SelectionNode.none
    /// The selection that was added last.
    @exclusivity(unchecked) final var last = SelectionNode.none

    public required init() {}

    deinit {
      guard let known = unsafe known, unsafe known.pointee.release() else { return }
      unsafe known.deinitialize(count: 1)
      unsafe known.deallocate()
    }

    /// The selections of this builder and of the builders around it.
    final var tree: UnsafeMutablePointer<SelectionTree> {
      @inline(__always) get {
        unsafe known ?? makeTree()
      }
    }

    /// A separate function, so that adding a field, which calls this once in a query, has few
    /// registers to save.
    @inline(never)
    private final func makeTree() -> UnsafeMutablePointer<SelectionTree> {
      let tree = unsafe SelectionTree.make()
      unsafe known = tree
      return unsafe tree
    }

    /// Makes this new builder a user of a tree.
    @inline(__always)
    final func join(_ tree: UnsafeMutablePointer<SelectionTree>, below owner: Int32) {
      unsafe known = tree
      unsafe self.owner = owner
    }

    /// The selections of this builder.
    final var list: SelectionList { unsafe SelectionList(tree: tree, owner: owner) }

    /// The name and directives of the operation, if this builder is its root.
    final var header: OperationHeader? { unsafe owner < 0 ? tree.pointee.header : nil }
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
  // Safe: the builder keeps the tree alive.
  @discardableResult
  public final func null(_ arguments: String...) -> Self {
    unsafe tree.pointee.pending[owner, default: GraphQL.Modifiers()].nulls += arguments
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
