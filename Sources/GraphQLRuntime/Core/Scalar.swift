import Foundation
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

extension GraphQL {
  /// How the bytes of a scalar show that it is valid. Creating a JSON value, its string and a Foundation
  /// object for each took half of the time of checking a response.
  // Safe: the checks read as many bytes as the caller has at the address.
  @safe public struct PlainText: Sendable, BitwiseCopyable {
    /// Whether the contents of a string without escapes, or a number, are certainly valid.
    let check: RecordStep.TextCheck
    let acceptsNumbers: Bool

    init(_ check: RecordStep.TextCheck, acceptsNumbers: Bool = false) {
      unsafe self.check = unsafe check
      self.acceptsNumbers = acceptsNumbers
    }

    // Safe: the caller passes the index of a value, whose memory is valid during the call.
    @inline(__always)
    func accepts(_ value: Int, in tape: JSONTape) -> Bool {
      let check = unsafe check
      let isValid =
        if acceptsNumbers {
          unsafe tape.withPlainText(at: value) { unsafe check($0.baseAddress!, $0.count) }
        } else {
          unsafe tape.withPlainString(at: value) { unsafe check($0.baseAddress!, $0.count) }
        }
      return isValid ?? false
    }
  }
}

// Safe: the index is that of a value in this document, which is kept alive during the call.
extension GraphQL.ValueReader {
  /// The value that `body` reads from the bytes of a string without escapes.
  @inline(__always)
  func plainString<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    unsafe tape.withPlainString(at: index, body)
  }

  /// The result of `init(scalar:)` for the value.
  func decoded<Value: GraphQL.Scalar>() -> Value? {
    try? Value(scalar: json.json(at: index))
  }
}

extension GraphQL {
  /// The `ID` scalar: an opaque identifier (specification: 3.5.5 ID).
  ///
  /// IDs are equal if their bytes are, as for GraphQL servers. Swift's own comparison of strings
  /// ignores Unicode's normal forms.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The identifier as it was received and is sent.
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
      rawValue = value
    }

    public static func == (left: ID, right: ID) -> Bool {
      left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Whether the bytes differ; the standard library's own for raw values compares strings.
    public static func != (left: ID, right: ID) -> Bool { !(left == right) }

    public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }

    public var description: String { rawValue }
  }
}

extension GraphQL.ID: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.string(rawValue) }
}

extension GraphQL {
  /// Any JSON value: the type of scalars without a Swift type of their own.
  public typealias JSON = GraphJSON.JSON

  /// The `URL` and `URI` scalars: a URL as of RFC 3986.
  public typealias URL = Foundation.URL
}
