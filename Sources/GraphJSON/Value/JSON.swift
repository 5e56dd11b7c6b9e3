/// A JSON value as a tree.
///
/// Destroying a tree uses stack for each of its levels; ``JSONDocument`` creates none deeper than
/// ``JSONDocument/largestMaximumDepth``. All other operations work without recursion.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(JSON.Number)
  case string(String)
  case array([JSON])
  case object(JSON.Object)

  /// The value's kind.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The integer `value`.
  public init(_ value: some BinaryInteger) { self = .number(JSON.Number(value)) }

  /// The member `key` of an object; nil if there is none, or the value is not an object.
  public subscript(key: String) -> JSON? {
    if case .object(let object) = self { object[key] } else { nil }
  }
}

extension JSON: CustomStringConvertible {
  /// Compact JSON text.
  public var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.finish(), as: UTF8.self)
  }
}

extension JSON: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .number(JSON.Number(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// A literal that is too large for a `Double` is a programming error.
  public init(floatLiteral value: Double) {
    guard let number = JSON.Number(value) else {
      preconditionFailure("a JSON literal must be finite")
    }
    self = .number(number)
  }
}

extension JSON: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// If keys are equal, the last one wins.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSON.Object(elements.lazy.map { JSON.Object.Member(key: $0, value: $1) }))
  }
}

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

extension JSON {
  /// Parses the UTF-8 text `bytes` into a tree.
  public init(
    parsing bytes: consuming [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    let document = try JSONDocument(parsing: bytes, maximumDepth: maximumDepth)
    self = document.json(at: JSONDocument.rootIndex)
  }
}

extension JSONDocument {
  /// The value at `index` as a tree, built without recursion. If several members have the same key,
  /// the last one wins.
  public func json(at index: Int) -> JSON {
    var levels: [Level] = []
    var index = index
    while true {
      let value: JSON
      if let level = levels.last, index == level.end {
        value = level.value
        levels.removeLast()
      } else {
        if let level = levels.last, level.isObject {
          levels[levels.count - 1].key = string(at: index)
          index = next(after: index)
        }
        guard let scalar = scalar(at: index) else {
          levels.append(Level(isObject: kind(at: index) == .object, end: end(of: index)))
          index = firstChild(of: index)
          continue
        }
        value = scalar
        index = next(after: index)
      }
      if levels.isEmpty { return value }
      levels[levels.count - 1].append(value)
    }
  }

  /// An array or object while its children are collected.
  private struct Level {
    let isObject: Bool
    let end: Int
    var key = ""
    var elements: [JSON] = []
    var members = JSON.Object()

    init(isObject: Bool, end: Int) {
      self.isObject = isObject
      self.end = end
    }

    var value: JSON { isObject ? .object(members) : .array(elements) }

    mutating func append(_ value: JSON) {
      if isObject { members[key] = value } else { elements.append(value) }
    }
  }

  /// The value at `index`, nil for an array or object.
  private func scalar(at index: Int) -> JSON? {
    switch kind(at: index) {
    case .null: .null
    case .bool: .bool(bool(at: index))
    case .number: .number(JSON.Number(checkedText: numberText(at: index)))
    case .string: .string(string(at: index))
    case .array, .object: nil
    }
  }
}
