import GraphJSON

extension GraphQL {
  /// A Swift type for a custom scalar (specification: 3.5 Scalars).
  ///
  /// ```swift
  /// struct Money: GraphQL.Scalar {
  ///   var cents: Int32
  ///
  ///   init(cents: Int32) { self.cents = cents }
  ///   init(scalar: GraphQL.JSON) throws {
  ///     guard case .number(let number) = scalar, let cents = number.int32 else {
  ///       throw GraphQL.ScalarMismatch(expected: "an amount in cents")
  ///     }
  ///     self.cents = cents
  ///   }
  ///
  ///   var scalar: GraphQL.JSON { .number(JSON.Number(cents)) }
  ///   static var placeholder: Money { Money(cents: 0) }
  /// }
  /// ```
  public protocol Scalar: InputValue, OutputValue, Equatable {
    /// Reads the scalar's JSON form.
    ///
    /// - Throws: any error, if the JSON does not have the form; it becomes a ``SchemaViolation``
    ///   with the response path. The same JSON must always give the same result.
    init(scalar: JSON) throws

    /// The JSON form, in which the value is sent.
    var scalar: JSON { get }

    /// How the bytes of a value show that it certainly has the form. If they do not,
    /// ``init(scalar:)`` decides, as it does for types that do not implement this.
    static var _plainText: PlainText? { get }

    /// Any value of the type; it represents a field while a key path is resolved.
    static var placeholder: Self { get }
  }

  /// A scalar's JSON has a form that its Swift type does not read.
  public struct ScalarMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected format, as a noun: `a date and time in the format of RFC 3339`.
    public let expected: String

    /// - Parameter expected: the expected format, as a noun.
    public init(expected: String) {
      self.expected = expected
    }

    public var description: String { "expected \(expected)" }
  }
}
