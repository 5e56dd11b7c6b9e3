import Foundation
import GraphJSON
import GraphQLRuntime

/// The key of an object that the server does not know yet.
///
/// It takes the place of the server's ID in variables until the server has answered the operation
/// that creates the object; then every queued operation that names it is rewritten.
public enum TemporaryKey {
  private static let prefix = "treeswift-temporary:"

  /// A key that no other object has.
  public static func make() -> GraphQL.ID {
    GraphQL.ID(rawValue: prefix + UUID().uuidString.lowercased())
  }

  /// Whether an ID was made by ``make()``.
  public static func isTemporary(_ id: GraphQL.ID) -> Bool { isTemporary(id.rawValue) }

  static func isTemporary(_ key: String) -> Bool { key.hasPrefix(prefix) }

  /// The temporary keys that are values of the variables, each once, in their order.
  static func keys(in variables: JSON) -> [String] {
    var found: [String] = []
    _ = variables.mapStrings { text in
      if isTemporary(text), !found.contains(text) { found.append(text) }
      return text
    }
    return found
  }
}

extension JSON {
  /// The value with another text in place of each that is equal to `text`. A text that only contains
  /// it stays as it is.
  func replacing(_ text: String, with other: String) -> JSON {
    mapStrings { $0 == text ? other : $0 }
  }

  /// The recursion is as deep as the value, which the parser bounds.
  fileprivate func mapStrings(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .array(let elements): .array(elements.map { $0.mapStrings(transform) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: $0.value.mapStrings(transform))
          }))
    default: self
    }
  }
}
