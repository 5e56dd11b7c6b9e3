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
