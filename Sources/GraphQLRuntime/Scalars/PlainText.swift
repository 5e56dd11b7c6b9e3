import Foundation
import GraphJSON

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

// Safe: the document keeps the text valid during the call.
extension Foundation.Date {
  public static var _plainText: GraphQL.PlainText? {
    unsafe GraphQL.PlainText({
      unsafe RFC3339.date(UnsafeBufferPointer(start: $0, count: $1)) != nil
    })
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> Date? {
    unsafe reader.plainString(RFC3339.date) ?? reader.decoded()
  }
}

// Safe: the document keeps the text valid during the call.
extension GraphQL.LocalDate {
  public static var _plainText: GraphQL.PlainText? {
    unsafe GraphQL.PlainText({
      unsafe RFC3339.localDate(UnsafeBufferPointer(start: $0, count: $1)) != nil
    })
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> GraphQL.LocalDate? {
    unsafe reader.plainString(RFC3339.localDate) ?? reader.decoded()
  }
}

// Safe: the reader’s index is that of a value in its document, which keeps the text valid during
// the call.
extension Foundation.Decimal {
  public static var _plainText: GraphQL.PlainText? {
    unsafe GraphQL.PlainText(
      {
        unsafe DecimalText.ShortDecimal(UnsafeBufferPointer(start: $0, count: $1)) != nil
      }, acceptsNumbers: true)
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> Decimal? {
    unsafe reader.tape.withPlainText(at: reader.index, DecimalText.ShortDecimal.init)?.value
      ?? reader.decoded()
  }
}

// Safe: the document keeps the text valid during the call.
extension GraphQL.BigInt {
  public static var _plainText: GraphQL.PlainText? {
    unsafe GraphQL.PlainText(
      { unsafe GraphQL.BigInt.isValid(UnsafeBufferPointer(start: $0, count: $1)) },
      acceptsNumbers: true)
  }
}

// Safe: the document keeps the text valid during the call.
extension Foundation.URL {
  public static var _plainText: GraphQL.PlainText? {
    unsafe GraphQL.PlainText({ unsafe URLText.isPlain(UnsafeBufferPointer(start: $0, count: $1)) })
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> URL? {
    // All values of a checked response are valid, including this one.
    guard reader.document.hasUniqueKeys || reader.isPlain(Self.self) else {
      return reader.decoded()
    }
    return reader.string.flatMap { URL(string: $0) }
  }
}

// Safe: the reader’s index is that of a value in its document.
extension GraphQL.ValueReader {
  /// Whether the bytes show that the value is one of the scalar.
  func isPlain(_ type: any GraphQL.Scalar.Type) -> Bool {
    unsafe type._plainText?.accepts(index, in: tape) ?? false
  }
}
