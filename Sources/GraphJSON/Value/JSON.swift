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

extension JSON {
  /// A JSON number as its text, so that no digit is lost.
  ///
  /// Two numbers are equal when their texts are: `1` and `1.0` differ. Compare ``int64`` or
  /// ``double`` to compare values.
  public struct Number: Hashable, Sendable, CustomStringConvertible {
    /// The number's text in JSON.
    public let text: String

    /// A number with the given `text`, if it is one by the grammar of RFC 8259, section 6.
    public init?(text: String) {
      guard let document = try? JSONDocument(parsing: text),
        document.kind(at: JSONDocument.rootIndex) == .number,
        document.sourceRange(at: JSONDocument.rootIndex).count == document.byteCount
      else { return nil }
      self.text = text
    }

    /// A number with a text that the parser has accepted.
    init(checkedText: String) { text = checkedText }

    /// The integer `value`.
    public init(_ value: some BinaryInteger) { text = value.description }

    /// The shortest text that is parsed as `value`; nil for infinities and NaN.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      text = value.description
    }

    /// The value if it is a 32-bit integer in any notation, such as `1.0` and `1e2`.
    public var int32: Int32? { int64.flatMap(Int32.init(exactly:)) }

    /// The value if it is a 64-bit integer in any notation, such as `1.0` and `1e2`.
    public var int64: Int64? { withText { $0.int64 } }

    /// The nearest `Double`, nil when the value is beyond the largest finite one.
    public var double: Double? { withText { $0.double } }

    public var description: String { text }

    // Safe: the string keeps its bytes valid during the call, and so do the objects that use them.
    private func withText<T>(_ body: (NumberText) -> T) -> T {
      var text = text
      return text.withUTF8 { unsafe body(NumberText($0)) }
    }
  }
}

/// Equality is that of the JSON values: arrays in order, objects in any order, numbers by their text
/// (see ``JSON/Number``), strings as Swift compares strings.
extension JSON: Hashable {
  public static func == (left: JSON, right: JSON) -> Bool { areEqual([(left, right)]) }

  /// Whether both are equal, and their strings have the same bytes: Swift's own `==` ignores Unicode's normal forms.
  package func hasSameBytes(as other: JSON) -> Bool {
    Self.areEqual([(self, other)]) { $0.hasSameBytes(as: $1) }
  }

  /// Compares pairs without recursion: the children of equal containers become pairs in turn.
  fileprivate static func areEqual(
    _ pairs: [(JSON, JSON)], strings areEqual: (String, String) -> Bool = { $0 == $1 }
  ) -> Bool {
    var pending = pairs
    while let pair = pending.popLast() {
      switch pair {
      case (.null, .null): break
      case (.bool(let left), .bool(let right)): if left != right { return false }
      case (.number(let left), .number(let right)): if left != right { return false }
      case (.string(let left), .string(let right)): if !areEqual(left, right) { return false }
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        pending.append(contentsOf: zip(left, right))
      case (.object(let left), .object(let right)):
        guard let members = left.paired(with: right) else { return false }
        pending.append(contentsOf: members)
      default: return false
      }
    }
    return true
  }

  /// Hashes scalars completely, arrays and objects by their size and their direct scalars: enough
  /// to distinguish values, without recursion.
  public func hash(into hasher: inout Hasher) {
    hashShallowly(into: &hasher)
    switch self {
    case .array(let elements):
      for element in elements { element.hashShallowly(into: &hasher) }
    case .object(let object): object.hash(into: &hasher)
    case .null, .bool, .number, .string: break
    }
  }

  /// Hashes everything but what is inside an array or object.
  fileprivate func hashShallowly(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combine(string)
    case .array(let elements): hasher.combine(elements.count)
    case .object(let object): hasher.combine(object.count)
    }
  }
}

extension JSON.Object: Hashable {
  public static func == (left: JSON.Object, right: JSON.Object) -> Bool {
    left.paired(with: right).map { JSON.areEqual($0) } ?? false
  }

  public func hash(into hasher: inout Hasher) {
    // An addition does not depend on the order.
    var sum = 0
    for member in members {
      var hasher = Hasher()
      hasher.combine(ExactKey(member.key))
      member.value.hashShallowly(into: &hasher)
      sum &+= hasher.finalize()
    }
    hasher.combine(sum)
  }

  /// The values of the same keys, nil if the keys differ.
  fileprivate func paired(with other: JSON.Object) -> [(JSON, JSON)]? {
    guard count == other.count else { return nil }
    var pairs: [(JSON, JSON)] = []
    pairs.reserveCapacity(count)
    for member in members {
      guard let value = other[member.key] else { return nil }
      pairs.append((member.value, value))
    }
    return pairs
  }
}

extension JSONNode {
  /// The value as a tree.
  public var json: JSON { document.json(at: index) }
}
