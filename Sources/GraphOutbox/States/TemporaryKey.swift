import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The key of an object that the server does not know yet.
  ///
  /// It replaces the server's ID in variables until the server has responded to the operation that
  /// creates the object. Then every queued operation that names it is updated.
  public enum TemporaryKey {
    private static let prefix = "treeswift-temporary:"

    /// A key that differs from that of every other object.
    public static func make() -> GraphQL.ID {
      GraphQL.ID(rawValue: prefix + UUID().uuidString.lowercased())
    }

    /// Whether an ID was created by ``make()``.
    public static func isTemporary(_ id: GraphQL.ID) -> Bool { isTemporary(id.rawValue) }

    static func isTemporary(_ key: String) -> Bool { key.utf8.starts(with: prefix.utf8) }

    /// The temporary keys that are values of the variables, each once, in their order.
    static func keys(in variables: JSON) -> [String] {
      var found: [String] = []
      var seen: Set<ExactKey> = []
      _ = variables.mapStrings { text in
        if isTemporary(text), seen.insert(ExactKey(text)).inserted { found.append(text) }
        return text
      }
      return found
    }
  }
}

extension JSON {
  /// The value with another text in place of each text that equals `text`. A text that only
  /// contains it stays unchanged.
  func replacing(_ text: String, with other: String) -> JSON {
    mapStrings { $0.hasSameBytes(as: text) ? other : $0 }
  }

  /// The recursion is as deep as the value, which the parser limits.
  fileprivate func mapStrings(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .array(let elements): .array(elements.map { $0.mapStrings(transform) })
    case .object(let object):
      .object(
        JSON.Object(
          object.members.map {
            JSON.Object.Member(key: $0.key, value: $0.value.mapStrings(transform))
          }))
    default: self
    }
  }
}
