import Foundation
import GraphJSON

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
        unsafe DecimalText.ShortDecimal(padded: UnsafeBufferPointer(start: $0, count: $1)) != nil
      }, acceptsNumbers: true)
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> Decimal? {
    unsafe reader.tape.withPlainText(at: reader.index, DecimalText.ShortDecimal.init(padded:))?
      .value
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
    guard let text = reader.string else { return nil }
    // Both initialisers return the same for a text in which nothing is to be encoded, as in most. This one is faster.
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *),
      let url = URL(string: text, encodingInvalidCharacters: false)
    {
      return url
    }
    return URL(string: text)
  }
}

// Safe: the reader’s index is that of a value in its document.
extension GraphQL.ValueReader {
  /// Whether the bytes show that the value is one of the scalar.
  func isPlain(_ type: any GraphQL.Scalar.Type) -> Bool {
    unsafe type._plainText?.accepts(index, in: tape) ?? false
  }
}

extension GraphQL.Scalar {
  public static func _read(_ reader: GraphQL.ValueReader) -> Self? {
    try? Self(scalar: reader.json.json(at: reader.index))
  }

  public static var _plainText: GraphQL.PlainText? { nil }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Self { placeholder }

  public func _write(to writer: inout GraphQL.ValueWriter) { scalar._write(to: &writer) }
}

extension GraphQL.JSON {
  /// The text of a string, or a mismatch that names the expected form.
  func text(_ expected: String) throws(GraphQL.ScalarMismatch) -> String {
    guard case .string(let text) = self else {
      throw GraphQL.ScalarMismatch(expected: "\(expected) in a string")
    }
    return text
  }
}
