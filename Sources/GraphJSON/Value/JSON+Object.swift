extension JSON {
  /// The members of a JSON object: ordered, with unique keys.
  ///
  /// Setting a key again keeps its position and replaces its value, so the last of duplicate keys in
  /// a text wins. Keys are compared by their code units. Equality ignores the order, as RFC 8259
  /// calls objects unordered.
  public struct Object: Sendable {
    /// A key and its value.
    public struct Member: Sendable {
      /// The key with its escapes resolved.
      public let key: String
      /// The member's value.
      public internal(set) var value: JSON

      /// The member `key` with `value`.
      public init(key: String, value: JSON) {
        self.key = key
        self.value = value
      }
    }

    /// The members in order.
    public private(set) var members: [Member] = []
    /// The position of each key in `members`; created when searching becomes slower than hashing.
    private var indexes: [ExactKey: Int] = [:]
    private static let searchLimit = 16

    /// An object without members.
    public init() {}

    /// The members of a sequence; if keys are equal, the last one wins.
    public init(_ members: some Sequence<Member>) {
      for member in members { self[member.key] = member.value }
    }

    /// The keys in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of `key`, nil if there is none. Setting nil removes the member.
    public subscript(key: String) -> JSON? {
      get { index(of: key).map { members[$0].value } }
      set {
        switch (index(of: key), newValue) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): remove(at: index)
        case (nil, let value?): append(Member(key: key, value: value))
        case (nil, nil): break
        }
      }
    }

    private func index(of key: String) -> Int? {
      members.count > Object.searchLimit
        ? indexes[ExactKey(key)] : members.firstIndex { ExactKey($0.key) == ExactKey(key) }
    }

    private mutating func append(_ member: Member) {
      members.append(member)
      if members.count == Object.searchLimit + 1 {
        rebuildIndexes()
      } else if members.count > Object.searchLimit {
        indexes[ExactKey(member.key)] = members.count - 1
      }
    }

    private mutating func remove(at index: Int) {
      members.remove(at: index)
      if members.count > Object.searchLimit { rebuildIndexes() } else { indexes = [:] }
    }

    private mutating func rebuildIndexes() {
      indexes = Dictionary(
        uniqueKeysWithValues:
          members.enumerated().map { (ExactKey($1.key), $0) })
    }
  }
}

extension JSON.Object: RandomAccessCollection {
  public var startIndex: Int { members.startIndex }
  public var endIndex: Int { members.endIndex }
  public subscript(position: Int) -> Member { members[position] }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) {
    for (key, value) in elements { self[key] = value }
  }
}
