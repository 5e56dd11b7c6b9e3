import Foundation

/// How the value of a field is compared with a fixed one.
public enum Comparison: Sendable, Hashable {
  /// Both are the same.
  case equal
  /// They differ.
  case notEqual
  /// The field is less; a null is not.
  case less
  /// The field is less or equal; a null is not.
  case atMost
  /// The field is greater.
  case greater
  /// The field is greater or equal; a null is not.
  case atLeast

  func holds(_ value: OrderedValue, _ fixed: OrderedValue) -> Bool {
    switch self {
    case .equal: value == fixed
    case .notEqual: value != fixed
    case .less: value != .nothing && value < fixed
    case .atMost: value != .nothing && value <= fixed
    case .greater: value > fixed
    case .atLeast: value >= fixed
    }
  }

  /// The values for which the comparison may hold; nil where they are no range.
  func range(_ path: String, _ fixed: OrderedValue) -> FieldRange? {
    switch self {
    case .equal: FieldRange(path: path, lower: fixed, upper: fixed)
    case .notEqual: nil
    case .less, .atMost: FieldRange(path: path, lower: nil, upper: fixed)
    case .greater, .atLeast: FieldRange(path: path, lower: fixed, upper: nil)
    }
  }
}

/// How strings compare.
public enum Collation: Sendable, Hashable {
  /// Byte by byte, as UTF-8. Queryable fields have an index in this order.
  case binary
  /// Without regard to case.
  case caseInsensitive
  /// Without regard to case and diacritics: `É` is `e`.
  case caseAndDiacriticInsensitive

  func apply(_ value: OrderedValue) -> OrderedValue {
    guard case .text(let text) = value else { return value }
    return switch self {
    case .binary: value
    case .caseInsensitive: .text(text.folding(options: .caseInsensitive, locale: nil))
    case .caseAndDiacriticInsensitive:
      .text(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    }
  }
}
