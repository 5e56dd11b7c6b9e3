import GraphJSON

// What the accessors of generated classes call for objects, interfaces and unions.
extension GraphQL.AbstractResponse {
  public final func _one<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Object {
    _value(name, alias)
  }

  public final func _oneOpt<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Object? {
    _value(name, alias)
  }

  public final func _list<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> [Object] {
    _value(name, alias)
  }

  /// An object of an abstract type; `Object` is the protocol that stands for that type.
  public final func _any<Object>(_ name: StaticString, _ alias: String? = nil) -> Object {
    _anys(name, alias)
  }

  public final func _anyOpt<Object>(_ name: StaticString, _ alias: String? = nil) -> Object? {
    _anys(name, alias)
  }

  public final func _anyList<Object>(_ name: StaticString, _ alias: String? = nil) -> [Object] {
    _anys(name, alias)
  }

  /// Objects of an abstract type in any nesting of optionals and lists.
  public final func _anys<Value>(_ name: StaticString, _ alias: String? = nil) -> Value {
    let type = abstractType(of: "\(name)")
    guard let index = _find(name, alias) else {
      return missing(name, alias) { context in
        GraphQL.AbstractNesting.placeholder(of: Value.self, type: type, context: context)
      } same: {
        GraphQL.AbstractNesting.same($0, $1)
      }
    }
    return GraphQL.AbstractNesting.read(Value.self, reader(index), type: type)
  }

  /// The field's type as the table of this object's own type has it, which may be narrower than
  /// the interface's.
  private final func abstractType(of field: String) -> GraphQL.TypeInfo? {
    guard case .composite(let position)? = typeInfo?.field(field)?.named else { return nil }
    return document.schema?.type(at: position)
  }
}

extension GraphQL.AbstractResponse: GraphQL.OutputValue {
  public static func _read(_ reader: GraphQL.ValueReader) -> Self? {
    let reader = reader.followed
    guard reader.json.kind(at: reader.index) == .object else { return nil }
    return Self(
      _handle: GraphQL.ResponseHandle(document: reader.document, index: reader.index))
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Self {
    Self(_handle: context.handle)
  }

  public static func _same(
    _ left: GraphQL.AbstractResponse, _ right: GraphQL.AbstractResponse
  ) -> Bool {
    left === right
  }
}
