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
