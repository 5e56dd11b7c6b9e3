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

    // Each property is read or written at once and never during a call. So the compiler knows that
    // accesses do not overlap, and does not check that at run time.

    private(set) final var codes = SelectionCodes()
    /// Created when it is needed.
    private(set) final var extras: SelectionExtras?
    /// The builder that was created last for a selection set below.
    private(set) final var newest: AbstractQuery?
    /// The builder that was created by the same one before this one.
    private(set) final var older: AbstractQuery?
    /// The place of its field among the selections of the builder that created this one.
    private(set) final var place: Int32 = -1
    private final var depth: Int32 = 1

    public required init() {}

    deinit {
      // One after the other, since a long list would be a deep recursion.
      var next: AbstractQuery?
      swap(&next, &older)
      while next != nil, isKnownUniquelyReferenced(&next) {
        var following: AbstractQuery?
        if let next { swap(&following, &next.older) }
        next = following
      }
    }

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

    final func madeExtras() -> SelectionExtras {
      if let extras { return extras }
      let made = SelectionExtras()
      extras = made
      return made
    }

    /// Makes a new builder select below the selection that was added last. Builders below the
    /// greatest depth are not kept, as the merger reports those above. So freeing them is no deep
    /// recursion.
    final func join(_ child: AbstractQuery) {
      guard depth <= SelectionMerger.maximumDepth else { return }
      child.depth = depth + 1
      child.place = Int32(truncatingIfNeeded: codes.count) &- 1
      swap(&child.older, &newest)
      newest = child
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

  /// Sends an argument of the next field as an explicit null. An argument that is nil is left out
  /// instead.
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
