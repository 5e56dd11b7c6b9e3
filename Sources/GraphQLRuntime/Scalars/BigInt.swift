import GraphJSON

extension GraphQL {
  /// The `BigInt` scalar: an integer of any size, kept as its digits.
  ///
  /// It keeps integers exact. To calculate, convert the value to a type with a sufficient range.
  public struct BigInt: Hashable, Sendable, LosslessStringConvertible, ExpressibleByIntegerLiteral {
    /// The digits, with a `-` if negative, without leading zeros.
    public let description: String

    /// The integer with that text, or nil when it is not one.
    public init?(_ text: String) {
      guard Self.isValid(text.utf8) else { return nil }
      let isNegative = text.utf8.first == UInt8(ascii: "-")
      let digits = isNegative ? text.dropFirst() : text[...]
      let significant = digits.drop { $0 == "0" }
      description = significant.isEmpty ? "0" : (isNegative ? "-" : "") + significant
    }

    /// Whether a text is digits, with or without a `-` before them.
    static func isValid(_ text: some Collection<UInt8>) -> Bool {
      let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
      return !digits.isEmpty
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The integer `value`.
    public init(_ value: some BinaryInteger) {
      description = String(value)
    }

    public init(integerLiteral value: Int64) {
      self.init(value)
    }

    /// The value, if it fits.
    public var int64: Int64? { Int64(description) }
    /// The value, if it fits.
    public var uint64: UInt64? { UInt64(description) }
  }
}

extension GraphQL.BigInt: Comparable {
  public static func < (left: GraphQL.BigInt, right: GraphQL.BigInt) -> Bool {
    switch (left.isNegative, right.isNegative) {
    case (true, false): true
    case (false, true): false
    case (false, false): left.isSmallerInMagnitude(than: right)
    case (true, true): right.isSmallerInMagnitude(than: left)
    }
  }

  private var isNegative: Bool { description.utf8.first == UInt8(ascii: "-") }

  private func isSmallerInMagnitude(than other: GraphQL.BigInt) -> Bool {
    let length = description.utf8.count
    let otherLength = other.description.utf8.count
    return length == otherLength
      ? description.utf8.lexicographicallyPrecedes(other.description.utf8) : length < otherLength
  }
}

extension GraphQL.BigInt: GraphQL.Scalar {
  /// Reads a string or a number without fraction.
  ///
  /// - Throws: ``GraphQL/ScalarMismatch`` for anything else.
  public init(scalar: GraphQL.JSON) throws {
    let value: GraphQL.BigInt? =
      switch scalar {
      case .string(let text): GraphQL.BigInt(text)
      case .number(let number): GraphQL.BigInt(number.text)
      default: nil
      }
    guard let value else { throw GraphQL.ScalarMismatch(expected: "an integer") }
    self = value
  }

  public var scalar: GraphQL.JSON { .string(description) }

  public static var placeholder: GraphQL.BigInt { -73_009_110_466 }
}
