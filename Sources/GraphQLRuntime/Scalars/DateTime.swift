import Foundation
import GraphJSON

extension GraphQL {
  /// The `DateTime` scalar: an instant, as of RFC 3339 (`2026-01-31T09:30:00.250Z`).
  public typealias DateTime = Foundation.Date
}

extension Foundation.Date: GraphQL.Scalar {
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything but an RFC 3339 date and time.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a date and time in the format of RFC 3339"
    guard let date = RFC3339.date(try scalar.text(expected)) else {
      throw GraphQL.ScalarMismatch(expected: expected)
    }
    self = date
  }

  /// In UTC, with milliseconds or microseconds if there are any; null for a date outside the years
  /// 0 to 9999, which has no text and cannot be sent.
  public var scalar: GraphQL.JSON { RFC3339.text(self).map(GraphQL.JSON.string) ?? .null }

  public func _write(to writer: inout GraphQL.ValueWriter) {
    if let text = RFC3339.text(self) {
      writer.string(text)
    } else {
      writer.fail("a date outside the years 0 to 9999 cannot be sent")
    }
  }

  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: -48_211_903.625) }
}
