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
