extension ServiceSchema {
  /// The type with that name, including built-in scalars and introspection types. Constant time.
  public func type(named name: String) -> NamedType? {
    types[name] ?? BuiltIn.types[name]
  }

  /// The own field of a type with that name. Other modules have no specialised lookup in lists.
  package func field(named name: String, on type: NamedType) -> FieldDefinition? {
    type.fields?[name]
  }

  /// The type under all list and non-null wrappers of a reference.
  public func namedType(of reference: TypeReference) -> NamedType? {
    type(named: reference.namedType)
  }

  /// The directive with that name, including built-in ones. Constant time.
  public func directive(named name: String) -> DirectiveDefinition? {
    directives[name] ?? BuiltIn.directives[name]
  }

  /// The built-in scalars (section 3.5) and the types of introspection (section 4.2).
  public static var builtInTypes: NamedList<NamedType> { BuiltIn.types }

  /// `@skip`, `@include`, `@deprecated`, `@specifiedBy` and `@oneOf` (section 3.13).
  public static var builtInDirectives: NamedList<DirectiveDefinition> { BuiltIn.directives }

  /// The root type of an operation type; nil if the schema does not support it (section 3.3.1).
  public func rootType(for operationType: OperationType) -> ObjectType? {
    guard
      let root = definition.operationTypes.first(where: { $0.operationType == operationType }),
      case .object(let type)? = types[root.type.name]
    else { return nil }
    return type
  }

  /// The root type of queries; every valid schema has one.
  public var queryType: ObjectType? { rootType(for: .query) }
  /// The root type of mutations; nil if there are none.
  public var mutationType: ObjectType? { rootType(for: .mutation) }
  /// The root type of subscriptions; nil if there are none.
  public var subscriptionType: ObjectType? { rootType(for: .subscription) }
}
