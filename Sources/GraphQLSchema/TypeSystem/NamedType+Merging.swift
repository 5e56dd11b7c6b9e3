extension NamedType {
  /// The type with the additions of its extensions (section 3.4.3). Extensions of another kind add
  /// nothing; `extensionTargets` reports them.
  func merging(_ extensions: [NamedType]) -> NamedType {
    if extensions.isEmpty { return self }
    switch self {
    case .scalar(var type):
      for case .scalar(let added) in extensions { type.directives += added.directives }
      return .scalar(type)
    case .object(var type):
      let added = extensions.compactMap { if case .object(let type) = $0 { type } else { nil } }
      type.interfaces = type.interfaces.appending(added.flatMap(\.interfaces.elements))
      type.fields = type.fields.appending(added.flatMap(\.fields.elements))
      type.directives += added.flatMap(\.directives)
      return .object(type)
    case .interface(var type):
      let added = extensions.compactMap { if case .interface(let type) = $0 { type } else { nil } }
      type.interfaces = type.interfaces.appending(added.flatMap(\.interfaces.elements))
      type.fields = type.fields.appending(added.flatMap(\.fields.elements))
      type.directives += added.flatMap(\.directives)
      return .interface(type)
    case .union(var type):
      let added = extensions.compactMap { if case .union(let type) = $0 { type } else { nil } }
      type.members = type.members.appending(added.flatMap(\.members.elements))
      type.directives += added.flatMap(\.directives)
      return .union(type)
    case .enum(var type):
      let added = extensions.compactMap { if case .enum(let type) = $0 { type } else { nil } }
      type.values = type.values.appending(added.flatMap(\.values.elements))
      type.directives += added.flatMap(\.directives)
      return .enum(type)
    case .inputObject(var type):
      let added = extensions.compactMap {
        if case .inputObject(let type) = $0 { type } else { nil }
      }
      type.fields = type.fields.appending(added.flatMap(\.fields.elements))
      type.directives += added.flatMap(\.directives)
      return .inputObject(type)
    }
  }
}

extension NamedType {
  /// The type with the first field of each name only.
  var withoutRepeatedFields: NamedType {
    switch self {
    case .object(var type):
      type.fields = type.fields.withoutRepeats
      return .object(type)
    case .interface(var type):
      type.fields = type.fields.withoutRepeats
      return .interface(type)
    case .scalar, .union, .enum, .inputObject: return self
    }
  }
}

extension SchemaDefinition {
  /// The definition with the first root type of each operation only.
  var withoutRepeatedRoots: SchemaDefinition {
    var operations: Set<OperationType> = []
    var definition = self
    definition.operationTypes.removeAll { !operations.insert($0.operationType).inserted }
    return definition
  }
}

extension NamedList {
  fileprivate var withoutRepeats: NamedList {
    var names: Set<String> = []
    return NamedList(elements.filter { names.insert($0.name).inserted })
  }

  func appending(_ added: [Element]) -> NamedList {
    added.isEmpty ? self : NamedList(elements + added)
  }
}
