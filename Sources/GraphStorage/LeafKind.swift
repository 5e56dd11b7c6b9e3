import Foundation
import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// How the values of a Swift type are stored in a record, for comparing them there.
  package enum LeafKind: String, Sendable {
    /// Strings, IDs, enums, and scalars that are sent as strings.
    case text
    case int, float, bool
    /// Decimals and integers of any size, as text or numbers.
    case decimal
    case dateTime

    /// nil for objects and lists, and for scalars of your own, whose JSON may be anything.
    package init?(_ type: Any.Type) {
      switch type {
      case is String.Type, is ID.Type, is any Enum.Type, is LocalDate.Type, is URL.Type:
        self = .text
      case is Int.Type: self = .int
      case is Double.Type: self = .float
      case is Bool.Type: self = .bool
      case is Decimal.Type, is BigInt.Type: self = .decimal
      case is DateTime.Type: self = .dateTime
      default: return nil
      }
    }
  }

  /// The JSON form of a value as it would be in a response; nil if it has none.
  package static func _json(_ value: some InputValue) -> JSONDocument? {
    var writer = ValueWriter(.json)
    value._write(to: &writer)
    guard writer.problems.isEmpty else { return nil }
    do { return try JSONDocument(parsing: writer.bytes) } catch { return nil }
  }

  /// Seconds since 1970 of an RFC 3339 text.
  package static func _seconds(_ text: String) -> Double? {
    RFC3339.date(text)?.timeIntervalSince1970
  }
}
