// The fields by which types lead to other types.

extension GraphQL.SchemaTable {
  /// The object types to whose objects only objects of `types` lead, such as the lines of a cart. A
  /// root field of the interface `Node`, which can return any object, does not count; nor do
  /// mutations and subscriptions, whose responses may contain objects of any user.
  package func typesReached(onlyThrough types: Set<String>) -> Set<String> {
    let query = Set([root(.query)?.name].compactMap(\.self))
    let outside = objectTypes(reachedFrom: query, notThrough: types)
    return objectTypes(reachedFrom: types, notThrough: []).subtracting(outside)
      .subtracting(types).subtracting(rootNames)
  }

  /// The object types whose objects are not part of a cache on disk: those that the configuration
  /// declares sensitive or transient, and those to which only such objects lead, unless the
  /// configuration declares them persistent.
  func typesToHide() -> Set<String> {
    let stated = attribute("policy")
    let hidden = Set(stated.filter { $0.value != "persistent" }.keys)
    return hidden.union(typesReached(onlyThrough: hidden).filter { stated[$0] == nil })
  }

  /// The names of the types of queries, mutations and subscriptions.
  package var rootNames: Set<String> {
    Set([.query, .mutation, .subscription].compactMap { root($0)?.name })
  }

  /// The name of the type of queries.
  package var queryTypeName: String? { root(.query)?.name }

  /// Whether an object of a type, or a part of it, may have a link to an object of `types`.
  ///
  /// - Parameter isPart: whether objects of a type are part of the objects that lead to them.
  package func typeLeads(
    _ name: String, to types: Set<String>, isPart: (String) -> Bool
  ) -> Bool {
    guard let type = type(named: name) else { return false }
    return type.fields.contains { leads($0, to: types, isPart: isPart) }
  }

  /// Whether one field may have a link to an object of `types`.
  package func fieldLeads(
    _ field: String, of name: String, to types: Set<String>, isPart: (String) -> Bool
  ) -> Bool {
    guard let field = type(named: name)?.field(field) else { return false }
    return leads(field, to: types, isPart: isPart)
  }

  private func leads(
    _ field: GraphQL.FieldInfo, to types: Set<String>, isPart: (String) -> Bool
  ) -> Bool {
    var visited: Set<String> = []
    var waiting = [field]
    while let field = waiting.popLast() {
      guard let target = type(of: field) else { continue }
      for name in possibleTypes(of: target) where visited.insert(name).inserted {
        if types.contains(name) { return true }
        if isPart(name) { waiting += type(named: name)?.fields ?? [] }
      }
    }
    return false
  }

  private func objectTypes(
    reachedFrom names: Set<String>, notThrough ends: Set<String>
  ) -> Set<String> {
    let query = root(.query)?.name
    var visited = names
    var waiting = Array(names.subtracting(ends))
    while let name = waiting.popLast() {
      for field in type(named: name)?.fields ?? [] {
        guard let target = type(of: field) else { continue }
        if name == query, target.kind == .interface, target.name == "Node" { continue }
        for next in possibleTypes(of: target) where visited.insert(next).inserted {
          if !ends.contains(next) { waiting.append(next) }
        }
      }
    }
    return visited
  }
}
