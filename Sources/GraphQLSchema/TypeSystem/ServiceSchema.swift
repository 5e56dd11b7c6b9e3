/// A type system: named types, directives and root operation types (section 3.3).
///
/// Immutable. The public initialisers only return schemas that satisfy every rule of chapter 3. So
/// every name in a schema refers to an existing type, but its kind has to be checked.
public final class ServiceSchema: Sendable {
  /// The description, directives and root operation types, with all extensions merged in.
  public let definition: SchemaDefinition
  /// The types that the sources define, in the order of their definitions, with extensions merged
  /// in. Without the built-in scalars and the types of introspection.
  public let types: NamedList<NamedType>
  /// The directives that the sources define, in the order of their definitions, without built-in
  /// ones.
  public let directives: NamedList<DirectiveDefinition>
  /// The sources to which the ranges of the definitions refer.
  public let sources: [Source]
  /// Findings that a strict reading of the specification forbids but existing services contain. After
  /// many, the last element is a note of how many more there are.
  public let warnings: [Diagnostic]
  /// The number of warnings by code, with those that are not listed.
  package let warningCounts: [String: Int]
  /// Names of the implementing object types by interface, in schema order.
  let implementingObjects: [String: [String]]
  /// Names of the implementing interface types by interface, in schema order.
  let implementingInterfaces: [String: [String]]

  init(
    definition: SchemaDefinition, types: NamedList<NamedType>,
    directives: NamedList<DirectiveDefinition>, sources: [Source], warnings: [Diagnostic] = [],
    warningCounts: [String: Int] = [:]
  ) {
    self.definition = definition
    self.types = types
    self.directives = directives
    self.sources = sources
    self.warnings = warnings
    self.warningCounts = warningCounts
    var objects: [String: [String]] = [:]
    var interfaces: [String: [String]] = [:]
    for type in types.elements {
      switch type {
      case .object(let object):
        for interface in object.interfaces.elements {
          objects[interface.name, default: []].append(object.name)
        }
      case .interface(let implementing):
        for interface in implementing.interfaces.elements {
          interfaces[interface.name, default: []].append(implementing.name)
        }
      default: break
      }
    }
    implementingObjects = objects
    implementingInterfaces = interfaces
  }

  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String? { definition.description }
}

extension ServiceSchema: Equatable {
  /// Whether both have the same definitions in the same order; positions do not matter.
  public static func == (lhs: ServiceSchema, rhs: ServiceSchema) -> Bool {
    lhs === rhs
      || lhs.definition == rhs.definition && lhs.types == rhs.types
        && lhs.directives == rhs.directives
  }
}

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

extension ServiceSchema {
  /// The object types that a value of the type may have, in schema order; a union's in the order of
  /// its members; the type itself for an object type (section 5.5.2.3 GetPossibleTypes).
  public func possibleTypes(of type: NamedType) -> [ObjectType] {
    let names: [String]
    switch type {
    case .object(let object): return [object]
    case .interface(let interface): names = implementingObjects[interface.name] ?? []
    case .union(let union): names = union.members.map(\.name)
    case .scalar, .enum, .inputObject: return []
    }
    return names.compactMap {
      if case .object(let object)? = types[$0] { object } else { nil }
    }
  }

  /// The object and interface types that declare an interface, objects first, in schema order.
  public func implementations(of interface: InterfaceType) -> [NamedType] {
    let objects = implementingObjects[interface.name] ?? []
    let interfaces = implementingInterfaces[interface.name] ?? []
    return (objects + interfaces).compactMap { types[$0] }
  }

  /// Whether every value of the first type is one of the second: the same type, a member of the
  /// union, or a declared implementation of the interface.
  public func isSubtype(_ name: String, of supertype: String) -> Bool {
    if name == supertype { return true }
    switch types[supertype] {
    case .union(let union): return union.members.contains(name: name)
    case .interface: return types[name]?.interfaces?.contains(name: supertype) ?? false
    default: return false
    }
  }

  /// Whether a field of the first type is valid where the second is declared (section 3.7
  /// IsValidImplementationFieldType): lists and non-nulls match or the first is stricter.
  public func isSubtype(_ type: TypeReference, of supertype: TypeReference) -> Bool {
    switch (type, supertype) {
    case (.nonNull(let type), .nonNull(let supertype)): isSubtype(type, of: supertype)
    case (.nonNull(let type), _): isSubtype(type, of: supertype)
    case (.list(let item), .list(let superitem)): isSubtype(item, of: superitem)
    case (.named(let name), .named(let supername)): isSubtype(name, of: supername)
    default: false
    }
  }
}

/// A schema's description, directives and root operation types (section 3.3).
public struct SchemaDefinition: Sendable, Equatable {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The root operation types.
  public var operationTypes: [RootOperationTypeDefinition]
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a schema definition.
  public init(
    description: String? = nil, directives: [Document.Directive] = [],
    operationTypes: [RootOperationTypeDefinition] = [], range: SourceRange = .none
  ) {
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.range = range
  }
}

/// The type at the root of one kind of operation: `query: QueryRoot` (section 3.3.1).
public struct RootOperationTypeDefinition: Sendable, Equatable {
  /// Whether it is a query, a mutation or a subscription.
  public var operationType: OperationType
  /// The type.
  public var type: TypeName
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a root operation type definition.
  public init(operationType: OperationType, type: TypeName, range: SourceRange = .none) {
    self.operationType = operationType
    self.type = type
    self.range = range
  }
}
