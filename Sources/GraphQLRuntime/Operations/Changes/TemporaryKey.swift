import Foundation
import GraphJSON

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
