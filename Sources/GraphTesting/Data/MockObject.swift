public import GraphJSON

/// An object of a ``MockEndpoint``. What is not known of it is derived from its key, so that an
/// object looks the same wherever it is met.
public struct MockObject: Sendable {
  /// The name of its object type.
  public let typeName: String
  /// What its made-up values are derived from.
  let key: UInt64
  /// What is known of it, by field: from fixtures, resolvers and the store.
  public internal(set) var members: JSONObject
  /// The page that it is, if its type is a connection.
  var connection: MockConnection?
  /// The fixtures by path that are below it.
  var fixtures: PathFixtures?

  init(
    _ typeName: String, key: UInt64, members: JSONObject = [:], fixtures: PathFixtures? = nil
  ) {
    self.typeName = typeName
    self.key = key
    self.members = members
    self.fixtures = fixtures
  }

  /// The identifier in its `id` field, be it known or made up.
  public var id: String {
    if case .string(let id)? = members["id"] { return id }
    return MockID(typeName: typeName, key: key).text
  }
}

/// A made-up identifier: `gid://mock/Product/4711`. It says all that the object is made from, so
/// that the object can be found by it.
struct MockID {
  let typeName: String
  let key: UInt64

  private static let prefix = "gid://mock/"

  init(typeName: String, key: UInt64) {
    self.typeName = typeName
    self.key = key
  }

  /// Reads ``text``; nil if the identifier is none of ours.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = UInt64(parts[1]) else { return nil }
    self.init(typeName: String(parts[0]), key: key)
  }

  var text: String { "\(Self.prefix)\(typeName)/\(key)" }
}
