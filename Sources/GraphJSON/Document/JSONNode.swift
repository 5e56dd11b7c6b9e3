/// One value of a document, for tools that navigate values instead of indexes.
///
/// ```swift
/// let root = try JSONDocument(parsing: bytes).root
/// let name = root["data"]?["__schema"]?["queryType"]?["name"]?.string
/// ```
public struct JSONNode: Sendable {
  /// The document of the value.
  public let document: JSONDocument
  /// The value's tape index.
  public let index: Int

  /// The value, or key, at `index` of `document`.
  public init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// The value's kind.
  public var kind: JSONKind { document.kind(at: index) }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The value if it is `true` or `false`, nil otherwise.
  public var bool: Bool? { kind == .bool ? document.bool(at: index) : nil }

  /// The value if it is a string, nil otherwise.
  public var string: String? { kind == .string ? document.string(at: index) : nil }

  /// The value if it is a number that is an integer and fits, nil otherwise; `1.0` and `1e2` are.
  public var int: Int? {
    kind == .number ? document.int64(at: index).flatMap(Int.init(exactly:)) : nil
  }

  /// The nearest `Double` if the value is a number, nil otherwise and beyond the largest one.
  public var double: Double? { kind == .number ? document.double(at: index) : nil }

  /// The value as a tree.
  public var json: JSON { document.json(at: index) }

  /// The position of the value's start in the text. Reads the text up to there.
  public var position: JSONPosition { document.position(at: index) }

  /// The line of the value, counted from 1.
  public var line: Int { position.line }

  /// The column of the value in Unicode scalars, counted from 1.
  public var column: Int { position.column }

  /// The member `key` of an object, the last one of duplicates; nil if there is none, or the value
  /// is not an object.
  public subscript(key: StaticString) -> JSONNode? {
    guard kind == .object else { return nil }
    return document.member(key, of: index).map { JSONNode(document: document, index: $0) }
  }

  /// The member `key` of an object; see the other form, which literals use.
  @_disfavoredOverload
  public subscript(key: String) -> JSONNode? {
    guard kind == .object else { return nil }
    return document.member(key, of: index).map { JSONNode(document: document, index: $0) }
  }

  /// The elements if the value is an array, nil otherwise.
  public var array: [JSONNode]? {
    guard kind == .array else { return nil }
    var elements: [JSONNode] = []
    elements.reserveCapacity(document.count(at: index))
    var child = document.firstChild(of: index)
    let end = document.end(of: index)
    while child < end {
      elements.append(JSONNode(document: document, index: child))
      child = document.next(after: child)
    }
    return elements
  }

  /// A member of an object.
  public struct Member: Sendable {
    /// The key with its escapes resolved.
    public let key: String
    /// The key's own node, for diagnostics.
    public let keyNode: JSONNode
    /// The member's value.
    public let value: JSONNode
  }

  /// The keys of an object that it has already had, in order. They are empty for other values.
  package var repeatedKeys: [JSONNode] {
    guard kind == .object else { return [] }
    var repeated: [JSONNode] = []
    var keys: Set<ExactKey> = []
    var child = document.firstChild(of: index)
    let end = document.end(of: index)
    while child < end {
      if !keys.insert(ExactKey(document.string(at: child))).inserted {
        repeated.append(JSONNode(document: document, index: child))
      }
      child = document.next(after: document.next(after: child))
    }
    return repeated
  }

  /// The members in order if the value is an object, nil otherwise. For members with the same key,
  /// only the last value, at the position of the first.
  public var members: [Member]? {
    guard kind == .object else { return nil }
    var members: [Member] = []
    var places: [ExactKey: Int] = [:]
    members.reserveCapacity(document.count(at: index))
    places.reserveCapacity(document.count(at: index))
    var child = document.firstChild(of: index)
    let end = document.end(of: index)
    while child < end {
      let key = document.string(at: child)
      let value = document.next(after: child)
      let member = Member(
        key: key, keyNode: JSONNode(document: document, index: child),
        value: JSONNode(document: document, index: value))
      let place = places[ExactKey(key), default: members.count]
      if place < members.count {
        members[place] = member
      } else {
        places[ExactKey(key)] = place
        members.append(member)
      }
      child = document.next(after: value)
    }
    return members
  }
}

extension JSONDocument {
  /// The root value.
  public var root: JSONNode { JSONNode(document: self, index: JSONDocument.rootIndex) }
}
