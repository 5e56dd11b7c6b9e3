import Foundation

extension Graph {
  /// How the value of a field is compared with a fixed one.
  public enum Comparison: Sendable, Hashable {
    /// The values are equal.
    case equal
    /// The values differ.
    case notEqual
    /// The field is less; a null never is.
    case less
    /// The field is less or equal; a null never is.
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

    /// The values for which the comparison may be true; nil if they are not a range.
    func range(_ path: String, _ fixed: OrderedValue) -> FieldRange? {
      switch self {
      case .equal: FieldRange(path: path, lower: fixed, upper: fixed)
      case .notEqual: nil
      case .less, .atMost: FieldRange(path: path, lower: nil, upper: fixed)
      case .greater, .atLeast: FieldRange(path: path, lower: fixed, upper: nil)
      }
    }
  }

  /// How strings are compared.
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
}
