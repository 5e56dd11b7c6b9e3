import GraphJSON

extension GraphQL.Draft {
  /// The value of a field: `draft[\.title]`, also of an object in it: `draft[\.priceRange.min.amount]`. nil if the
  /// draft has no value for it; setting nil removes the value. Objects on the path are created.
  ///
  /// An object is given as one that another draft or a response has: `draft[\.owner] = try Shop(shop)`.
  @_disfavoredOverload
  public subscript<Value>(path: KeyPath<Object, Value>) -> Value? {
    get { value(at: path) }
    set { write(newValue, at: path) }
  }

  /// The value of a nullable field; nil if it is null, and if the draft has no value for it. Setting nil writes null,
  /// or removes the value of a non-null field in a nullable object; ``remove(_:)`` always removes it.
  @_disfavoredOverload
  public subscript<Value>(path: KeyPath<Object, Value?>) -> Value? {
    get { value(at: path) ?? nil }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.json(of: newValue)
      }
    }
  }

  /// The value of a field, or `defaultValue` if the draft has none. For bindings of views:
  /// `TextField("Title", text: $draft[\.title, default: ""])`.
  public subscript<Value>(
    path: KeyPath<Object, Value>, default defaultValue: @autoclosure () -> Value
  ) -> Value {
    get { value(at: path) ?? defaultValue() }
    set { write(newValue, at: path) }
  }

  /// Whether the draft has a value for the field, null included.
  public func has<Value>(_ path: KeyPath<Object, Value>) -> Bool { json(at: path) != nil }

  /// Removes the value of a field.
  public mutating func remove<Value>(_ path: KeyPath<Object, Value>) { write(nil, at: path) }
}

extension GraphQL.Draft {
  /// The object of a field, as a draft: `draft[\.priceRange][\.min] = …`. It is empty if the draft has none.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, Nested>
  ) -> GraphQL.Draft<Nested> {
    get { GraphQL.Draft(unchecked: json(at: path)) }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in try field.json(of: newValue) }
    }
  }

  /// The object of a nullable field, as a draft; nil if it is null, and if the draft has none. Setting nil writes null.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, Nested?>
  ) -> GraphQL.Draft<Nested>? {
    get { json(at: path).flatMap { $0 == .null ? nil : GraphQL.Draft(unchecked: $0) } }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.json(of: newValue)
      }
    }
  }

  /// The objects of a list, as drafts: `draft[\.options].append(option)`. Empty if the draft has no value for it.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested]>
  ) -> [GraphQL.Draft<Nested>] {
    get { drafts(json(at: path)) ?? [] }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in try field.list(of: newValue) }
    }
  }

  /// The objects of a nullable list, as drafts; nil if it is null, and if the draft has no value for it.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested]?>
  ) -> [GraphQL.Draft<Nested>]? {
    get { drafts(json(at: path)) }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.list(of: newValue)
      }
    }
  }

  /// The objects of a list with nullable elements, as drafts; nil for a null element. Empty if the draft has no value
  /// for the list.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested?]>
  ) -> [GraphQL.Draft<Nested>?] {
    get { nullableDrafts(json(at: path)) ?? [] }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in try field.list(of: newValue) }
    }
  }

  /// The objects of a nullable list with nullable elements, as drafts; nil for a null element. nil if the list is null,
  /// and if the draft has no value for it.
  public subscript<Nested: GraphQL.AbstractResponse>(
    path: KeyPath<Object, [Nested?]?>
  ) -> [GraphQL.Draft<Nested>?]? {
    get { nullableDrafts(json(at: path)) }
    set {
      write(path) { field throws(GraphQL.SchemaViolation) in
        guard let newValue else { return field.null }
        return try field.list(of: newValue)
      }
    }
  }

  private func drafts<Nested>(_ json: JSON?) -> [GraphQL.Draft<Nested>]? {
    guard case .array(let elements)? = json else { return nil }
    return elements.map { GraphQL.Draft(unchecked: $0) }
  }

  private func nullableDrafts<Nested>(_ json: JSON?) -> [GraphQL.Draft<Nested>?]? {
    guard case .array(let elements)? = json else { return nil }
    return elements.map { $0 == .null ? nil : GraphQL.Draft(unchecked: $0) }
  }
}

extension DraftField {
  fileprivate func json<Nested>(
    of draft: GraphQL.Draft<Nested>
  ) throws(GraphQL.SchemaViolation) -> JSON {
    if let problem = draft.problems.first { throw placed(problem) }
    return draft.json
  }

  fileprivate func list<Nested>(
    of drafts: [GraphQL.Draft<Nested>?]
  ) throws(GraphQL.SchemaViolation) -> JSON {
    var elements: [JSON] = []
    for (index, draft) in drafts.enumerated() {
      if let problem = draft?.problems.first { throw placed(problem, at: index) }
      elements.append(draft?.json ?? .null)
    }
    return .array(elements)
  }
}
