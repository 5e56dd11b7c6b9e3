import GraphJSON

extension GraphQL {
  /// The `Date` scalar: a day of the proleptic Gregorian calendar without a time zone, in the form
  /// of RFC 3339's full-date (`2026-01-31`).
  public struct LocalDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// The day, or nil if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
      guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
        day <= Self.length(of: month, in: year)
      else { return nil }
      self.year = year
      self.month = month
      self.day = day
    }

    public static func < (left: LocalDate, right: LocalDate) -> Bool {
      (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    public var description: String {
      "\(RFC3339.padded(year, 4))-\(RFC3339.padded(month, 2))-\(RFC3339.padded(day, 2))"
    }

    /// Days since 1970-01-01. In the calculation the year starts in March, so that a leap day is
    /// its last.
    var daysSince1970: Int {
      let shifted = month > 2 ? year : year - 1
      let era = (shifted >= 0 ? shifted : shifted - 399) / 400
      let yearOfEra = shifted - era * 400
      let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day that many days after 1970-01-01, in any year.
    init(day daysSince1970: Int) {
      let days = daysSince1970 + 719_468
      let era = (days >= 0 ? days : days - 146_096) / 146_097
      let dayOfEra = days - era * 146_097
      let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let shifted = (5 * dayOfYear + 2) / 153
      day = dayOfYear - (153 * shifted + 2) / 5 + 1
      month = shifted < 10 ? shifted + 3 : shifted - 9
      year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private static func length(of month: Int, in year: Int) -> Int {
      switch month {
      case 4, 6, 9, 11: 30
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      default: 31
      }
    }
  }
}

extension GraphQL.LocalDate: GraphQL.Scalar {
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything but `YYYY-MM-DD`.
  // Safe: the string keeps its bytes valid during the call.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a date in the format YYYY-MM-DD"
    var text = try scalar.text(expected)
    guard let day = unsafe text.withUTF8(RFC3339.localDate) else {
      throw GraphQL.ScalarMismatch(expected: expected)
    }
    self = day
  }

  public var scalar: GraphQL.JSON { .string(description) }

  public static var placeholder: GraphQL.LocalDate { GraphQL.LocalDate(day: -203_111) }
}
