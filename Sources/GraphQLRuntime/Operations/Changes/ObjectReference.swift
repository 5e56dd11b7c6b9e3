import Foundation
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

extension Graph {
  /// The key of an object that the server does not know yet.
  ///
  /// In an optimistic change it is the key of an object that is being created. In an outbox it also replaces the
  /// server's ID in variables until the server has responded to the operation that creates the object. Then every
  /// queued operation that names it is updated.
  public enum TemporaryKey {
    private static let prefix = "treeswift-temporary:"

    /// A key that differs from that of every other object.
    public static func make() -> GraphQL.ID {
      GraphQL.ID(rawValue: prefix + UUID().uuidString.lowercased())
    }

    /// Whether an ID was created by ``make()``.
    public static func isTemporary(_ id: GraphQL.ID) -> Bool { isTemporary(id.rawValue) }

    package static func isTemporary(_ key: String) -> Bool { key.utf8.starts(with: prefix.utf8) }
  }
}
