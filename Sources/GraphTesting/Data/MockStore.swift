public import GraphJSON
import GraphQLExecution
import GraphQLRuntime

/// Objects that outlive a request: those that mutations have created or changed.
///
/// A field with an `id` argument, such as `node(id:)`, finds an object that was saved here.
/// Wherever an object with that type and identifier occurs, it has the saved members. Other members
/// are generated as for any other object.
///
/// ```swift
/// let store = MockStore()
/// var resolvers = ResolverTable()
/// resolvers["Mutation", "cartNoteUpdate"] = { context in
///   guard case .string(let id)? = context.arguments["cartId"] else { return .null }
///   store.update("Cart", id: id) { $0["note"] = context.arguments["note"] }
///   return .json(["cart": ["id": .string(id)], "userErrors": []])
/// }
/// ```
public final class MockStore: Sendable {
  private let objects = Locked<[String: [String: JSON.Object]]>([:])

  public init() {}

  /// The saved members of an object; nil if it is not saved.
  public func object(_ typeName: String, id: String) -> JSON.Object? {
    objects.withLock { $0.isEmpty ? nil : $0[typeName]?[id] }
  }

  /// Saves an object, replacing its saved members. Its member `id` is set.
  public func save(_ typeName: String, id: String, _ members: JSON.Object) {
    update(typeName, id: id) { $0 = members }
  }

  /// Changes the saved members of an object, starting without members if it is not saved.
  ///
  /// - Returns: the result of the change.
  @discardableResult
  public func update<Result>(
    _ typeName: String, id: String, _ change: (inout JSON.Object) throws -> Result
  ) rethrows -> Result {
    try objects.withLock { objects in
      var members = objects[typeName]?[id] ?? [:]
      let result = try change(&members)
      members["id"] = .string(id)
      objects[typeName, default: [:]][id] = members
      return result
    }
  }

  /// Removes an object; its values are then generated again.
  public func remove(_ typeName: String, id: String) {
    objects.withLock { _ = $0[typeName]?.removeValue(forKey: id) }
  }

  /// Removes all objects.
  public func removeAll() {
    objects.withLock { $0.removeAll() }
  }

  /// The type of the saved object with an identifier, out of several types.
  func typeName(of id: String, among typeNames: some Sequence<String>) -> String? {
    objects.withLock { objects in
      objects.isEmpty ? nil : typeNames.first { objects[$0]?[id] != nil }
    }
  }
}
