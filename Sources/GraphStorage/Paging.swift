import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// The names of the arguments that select a page of a connection. They are not part of a storage
  /// key.
  package struct PagingNames: Sendable, Hashable {
    let first: String
    let after: String
    let last: String
    let before: String

    /// The defaults are those of the connection specification.
    package init(
      first: String = "first", after: String = "after", last: String = "last",
      before: String = "before"
    ) {
      self.first = first
      self.after = after
      self.last = last
      self.before = before
    }

    var all: [String] { [first, after, last, before] }
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

    init(_ arguments: [Argument], _ names: PagingNames) {
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
  package var isConnection: Bool {
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
