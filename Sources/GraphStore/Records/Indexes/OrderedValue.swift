import GraphJSON
import GraphQLRuntime
import GraphStorage

/// A leaf's value in a comparable form: nothing first, then numbers, then text byte by byte.
enum OrderedValue: Sendable, Hashable {
  /// Null, and a field that is not stored.
  case nothing
  case number(Double)
  case text(String)

  /// The value at `index` of a record; nothing if it has another kind.
  init(_ json: JSONDocument, at index: Int, _ kind: GraphQL.LeafKind) {
    self = Self.value(json, index, kind) ?? .nothing
  }

  private static func value(
    _ json: JSONDocument, _ index: Int, _ kind: GraphQL.LeafKind
  ) -> OrderedValue? {
    switch (kind, json.kind(at: index)) {
    case (.text, .string): .text(json.string(at: index))
    // An ID may be sent as a number.
    case (.text, .number): .text(json.numberText(at: index))
    case (.int, .number), (.float, .number): json.double(at: index).map(OrderedValue.number)
    case (.bool, .bool): .number(json.bool(at: index) ? 1 : 0)
    case (.decimal, .string): DecimalOrder.text(json.string(at: index)).map(OrderedValue.text)
    case (.decimal, .number): DecimalOrder.text(json.numberText(at: index)).map(OrderedValue.text)
    case (.dateTime, .string): GraphQL._seconds(json.string(at: index)).map(OrderedValue.number)
    default: nil
    }
  }
}

extension OrderedValue: Comparable {
  static func == (left: OrderedValue, right: OrderedValue) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing): true
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  static func < (left: OrderedValue, right: OrderedValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: left.rank < right.rank
    }
  }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .number: 1
    case .text: 2
    }
  }
}

/// Decimal numbers as text whose order, byte by byte, equals that of the numbers.
///
/// A number is a sign (`0` below zero, `1` zero, `2` above), the power of ten of its first digit,
/// and its digits without trailing zeros. Below zero everything after the sign is mirrored, and
/// ends with a `:`, which is greater than any digit: -1.2 is more than -1.23.
enum DecimalOrder {
  private static let exponentOffset = 50_000_000
  private static let exponentWidth = 8

  /// The ordered form of `-12.50e3`; nil for other text.
  static func text(_ number: String) -> String? {
    var rest = number[...].utf8
    let isNegative = take("-", from: &rest)
    if !isNegative { _ = take("+", from: &rest) }
    let whole = digits(from: &rest)
    let fraction = take(".", from: &rest) ? digits(from: &rest) : []
    var exponent = 0
    if take("e", from: &rest) || take("E", from: &rest) {
      let isSmall = take("-", from: &rest)
      if !isSmall { _ = take("+", from: &rest) }
      let power = digits(from: &rest)
      guard !power.isEmpty, power.count < 8, let value = Int(String(decoding: power, as: UTF8.self))
      else { return nil }
      exponent = isSmall ? -value : value
    }
    guard rest.isEmpty, !whole.isEmpty, whole.count < 10_000_000 else { return nil }
    let all = whole + fraction
    let significant = all.drop { $0 == UInt8(ascii: "0") }
    guard !significant.isEmpty else { return "1" }
    exponent += whole.count - (all.count - significant.count)
    var text = [UInt8](String(exponent + exponentOffset).utf8)
    text = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, exponentWidth - text.count)) + text
    text += significant.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    if isNegative {
      text = text.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") } + [UInt8(ascii: ":")]
    }
    return (isNegative ? "0" : "2") + String(decoding: text, as: UTF8.self)
  }

  private static func take(_ scalar: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private static func digits(from rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest.removeFirst(digits.count)
    return Array(digits)
  }
}
