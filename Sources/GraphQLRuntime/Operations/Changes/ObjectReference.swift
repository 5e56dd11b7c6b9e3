import GraphJSON

extension GraphQL {
  /// A value that names a stored object: an ``EntityKey``, or an object that was read from a response or a store.
  public protocol ObjectReference {
    /// The key of the object.
    ///
    /// - Throws: ``MissingKey`` for an object without a key.
    func _entityKey() throws(MissingKey) -> EntityKey
  }

  /// An object has no key, or its key fields were not selected.
  public struct MissingKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the object's type, or of its class.
    public let typeName: String

    public var description: String {
      "an object of \(typeName) has no key, or its key fields were not selected; pass its EntityKey"
    }
  }
}

extension GraphQL.EntityKey: GraphQL.ObjectReference {
  public func _entityKey() -> GraphQL.EntityKey { self }
}

extension GraphQL.AbstractResponse: GraphQL.ObjectReference {
  public final func _entityKey() throws(GraphQL.MissingKey) -> GraphQL.EntityKey {
    let (json, index) = _stored
    let name = json.member("__typename", of: index).flatMap {
      json.kind(at: $0) == .string ? json.string(at: $0) : nil
    }
    // A class for unlisted types reads objects of several types.
    let type = name.flatMap { Self.schema?.type(named: $0) } ?? typeInfo
    guard let type, type.kind == .object, let fields = type.attributes["key"],
      let key = GraphQL.EntityKey(
        typeName: type.name, keyFields: fields.split(separator: ",").map { Array($0.utf8) },
        ofObjectAt: index, in: json)
    else { throw GraphQL.MissingKey(typeName: type?.name ?? "\(Self.self)") }
    return key
  }
}
