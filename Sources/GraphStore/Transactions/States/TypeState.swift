import GraphQLRuntime

/// The writer's information about a type.
final class TypeState {
  let name: String
  let persistence: Graph.TypePolicy.Persistence
  let hasInverses: Bool
  /// Whether its entities are not in a file.
  let isTransient: Bool
  /// Whether its entities may have links to some that are not in a file.
  let leadsToTransient: Bool
  /// Its number in the file, once it has one.
  let number: Int64?
  /// Whether the writer knows all entities in the file: an unknown entity does not exist.
  let isComplete: Bool
  /// See ``Freshness/resolution(_:)``.
  let resolution: Int64

  init(
    name: String, policies: Policies, isTransient: Bool, number: Int64?, isComplete: Bool
  ) {
    let policy = policies.policy(ofType: name)
    self.name = name
    persistence = policy.persistence ?? .persistent
    resolution = Freshness.resolution(policy.maximumAge)
    hasInverses = !policies.inverses(ofType: name).isEmpty
    self.isTransient = isTransient
    leadsToTransient = !isTransient && policies.leadsToTransient(name)
    self.number = number
    self.isComplete = isComplete
  }
}

extension Graph.Transaction {
  /// The writer's information about the type with a name.
  func typeState(of typeName: String) throws(Graph.StoreError) -> TypeState {
    if let lastType, lastType.name == typeName { return lastType }
    let type: TypeState
    if let known = states.types[typeName] { type = known } else { type = try lookUp(typeName) }
    lastType = type
    return type
  }

  private func lookUp(_ typeName: String) throws(Graph.StoreError) -> TypeState {
    let isTransient = policies.isTransient(typeName)
    var number: Int64?
    var isComplete = states.complete.contains(typeName)
    if let file = committed.file, let connection, !isTransient {
      number = try file.typeNumbers.number(of: typeName, on: connection)
      if !isComplete {
        isComplete =
          try number.map { number throws(Graph.StoreError) in
            try connection.isEmpty(type: number)
          } ?? true
        if isComplete { states.complete.insert(typeName) }
      }
    }
    let type = TypeState(
      name: typeName, policies: policies, isTransient: isTransient, number: number,
      isComplete: isComplete)
    // A type of the file that has no number yet gets one with its first entity.
    if isTransient || number != nil { states.types[typeName] = type }
    return type
  }
}
