import GraphJSON

extension GraphQL {
  /// The names of the arguments that select a page of a connection. They are not part of a storage
  /// key.
  public struct PagingArguments: Sendable, Hashable {
    /// The number of nodes, from the beginning or after a cursor.
    public var first: String
    /// The cursor after which the page begins.
    public var after: String
    /// The number of nodes, from the end or before a cursor.
    public var last: String
    /// The cursor before which the page ends.
    public var before: String

    /// Uses the given names; the defaults are those of the connection specification.
    public init(
      first: String = "first", after: String = "after", last: String = "last",
      before: String = "before"
    ) {
      self.first = first
      self.after = after
      self.last = last
      self.before = before
    }

    var names: [String] { [first, after, last, before] }
  }

  /// The page of a connection that a field selects.
  package struct Page: Sendable, Hashable {
    /// The maximum number of nodes; nil for all.
    package var count: Int?
    /// The cursor after which the page begins, or before which it ends; nil for an end of the list.
    package var cursor: String?
    /// Whether the page is counted from its end: `last` and `before`.
    package var isBackward = false

    package init(count: Int? = nil, cursor: String? = nil, isBackward: Bool = false) {
      self.count = count
      self.cursor = cursor
      self.isBackward = isBackward
    }

    init(_ arguments: [Argument], _ names: PagingArguments) {
      var values: [String: JSON] = [:]
      for argument in arguments { values[argument.name] = StorageKey.json(argument.value) }
      isBackward =
        Self.isGiven(values[names.last]) || Self.isGiven(values[names.before])
      let count = values[isBackward ? names.last : names.first]
      if case .number(let number)? = count { self.count = Int(number.description) }
      if case .string(let text)? = values[isBackward ? names.before : names.after] { cursor = text }
    }

    private static func isGiven(_ value: JSON?) -> Bool { value.map { $0 != .null } ?? false }
  }
}

extension GraphQL.TypeInfo {
  /// Whether objects of the type are connections: they have `pageInfo`, and `edges` or `nodes`.
  var isConnection: Bool {
    kind == .object && field("pageInfo") != nil && (field("edges") != nil || field("nodes") != nil)
  }
}

extension GraphQL.SchemaTable {
  /// The type of the objects to which a field leads, for its coordinate: `Query.products`.
  package func objectTypeName(ofField coordinate: String) -> String? {
    let parts = coordinate.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let type = type(named: String(parts[0])),
      let field = type.field(String(parts[1])), let target = self.type(of: field)
    else { return nil }
    return target.name
  }
}
