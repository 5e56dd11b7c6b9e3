import Foundation
import GraphJSON

// The built-in scalars are checked and read from a response's bytes. Creating a JSON value, its
// string and a Foundation object for each took half of the time of checking a response.

// Safe: the document keeps the text valid during the call.
extension Foundation.Date {
  public static func _isPlain(_ reader: GraphQL.ValueReader) -> Bool {
    unsafe reader.plainString(RFC3339.date) != nil
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> Date? {
    unsafe reader.plainString(RFC3339.date) ?? reader.decoded()
  }
}

// Safe: the document keeps the text valid during the call.
extension GraphQL.LocalDate {
  public static func _isPlain(_ reader: GraphQL.ValueReader) -> Bool {
    unsafe reader.plainString(RFC3339.localDate) != nil
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> GraphQL.LocalDate? {
    unsafe reader.plainString(RFC3339.localDate) ?? reader.decoded()
  }
}

// Safe: the reader’s index is that of a value in its document, which keeps the text valid during
// the call.
extension Foundation.Decimal {
  public static func _isPlain(_ reader: GraphQL.ValueReader) -> Bool {
    unsafe reader.tape.withPlainText(at: reader.index, DecimalText.ShortDecimal.init) != nil
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> Decimal? {
    unsafe reader.tape.withPlainText(at: reader.index, DecimalText.ShortDecimal.init)?.value
      ?? reader.decoded()
  }
}

// Safe: the reader’s index is that of a value in its document, which keeps the text valid during
// the call.
extension GraphQL.BigInt {
  public static func _isPlain(_ reader: GraphQL.ValueReader) -> Bool {
    unsafe reader.tape.withPlainText(at: reader.index) { unsafe isValid($0) ? true : nil } != nil
  }
}

// Safe: the document keeps the text valid during the call.
extension Foundation.URL {
  public static func _isPlain(_ reader: GraphQL.ValueReader) -> Bool {
    unsafe reader.plainString { unsafe URLText.isPlain($0) ? true : nil } != nil
  }

  public static func _read(_ reader: GraphQL.ValueReader) -> URL? {
    // All values of a checked response are valid, including this one.
    guard reader.document.hasUniqueKeys || _isPlain(reader) else { return reader.decoded() }
    return reader.string.flatMap { URL(string: $0) }
  }
}
