public import GraphJSON

extension MockEndpoint {
  /// An object of a ``MockEndpoint``. Unknown values are derived from its key, so that an object
  /// looks the same wherever it occurs.
  public struct Object: Sendable {
    /// The name of its object type.
    public let typeName: String
    /// The source of its generated values.
    let key: UInt64
    /// Its known values, by field: from fixtures, resolvers and the store.
    public internal(set) var members: JSON.Object
    /// The page, if its type is a connection.
    var connection: MockConnection?
    /// The fixtures by path that are below it.
    var fixtures: PathFixtures?

    init(
      _ typeName: String, key: UInt64, members: JSON.Object = [:], fixtures: PathFixtures? = nil
    ) {
      self.typeName = typeName
      self.key = key
      self.members = members
      self.fixtures = fixtures
    }

    /// The identifier in its `id` field, known or generated.
    public var id: String {
      if case .string(let id)? = members["id"] { return id }
      return MockID(typeName: typeName, key: key).text
    }
  }
}

/// A generated identifier: `gid://mock/Product/4711`. It contains everything from which the object
/// is generated, so that the object can be found by it.
struct MockID {
  let typeName: String
  let key: UInt64

  private static let prefix = "gid://mock/"

  init(typeName: String, key: UInt64) {
    self.typeName = typeName
    self.key = key
  }

  /// Reads ``text``; nil if the identifier was not generated here.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = UInt64(parts[1]) else { return nil }
    self.init(typeName: String(parts[0]), key: key)
  }

  var text: String { "\(Self.prefix)\(typeName)/\(key)" }
}
