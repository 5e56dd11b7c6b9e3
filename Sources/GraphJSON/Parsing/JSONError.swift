/// Why bytes are not JSON, or why a value has no JSON form.
///
/// Line and column count from 1. A line ends with LF, CR or CR LF; a column is a Unicode scalar.
/// The message contains at most the one character at fault, so an error is safe to log. Errors
/// without a position in a text have the offset 0.
public struct JSONError: Error, Hashable, Sendable {
  /// The class of the error. The set is open: later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, for logs.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The text ends inside a value, or there is no value at all.
    public static let unexpectedEnd = Code("unexpectedEnd")
    /// A character that the grammar does not allow at its position.
    public static let unexpectedCharacter = Code("unexpectedCharacter")
    /// Bytes that are not UTF-8: overlong, truncated, surrogates or beyond U+10FFFF.
    public static let invalidUTF8 = Code("invalidUTF8")
    /// The text starts with a UTF-8 byte order mark, which RFC 8259 forbids to add.
    public static let byteOrderMark = Code("byteOrderMark")
    /// A raw control character in a string.
    public static let controlCharacter = Code("controlCharacter")
    /// A backslash that does not start an escape of RFC 8259, section 7.
    public static let invalidEscape = Code("invalidEscape")
    /// A `\u` escape that is one half of a surrogate pair without the other.
    public static let loneSurrogate = Code("loneSurrogate")
    /// A number outside the grammar of RFC 8259, section 6.
    public static let invalidNumber = Code("invalidNumber")
    /// Something other than whitespace after the value.
    public static let trailingContent = Code("trailingContent")
    /// Arrays and objects are nested deeper than the parser's limit.
    public static let tooDeep = Code("tooDeep")
    /// The text is larger than ``JSONDocument/maximumByteCount``.
    public static let tooLarge = Code("tooLarge")
    /// An infinity or NaN, which JSON cannot express.
    public static let nonFiniteNumber = Code("nonFiniteNumber")
  }

  /// The class of the error.
  public let code: Code
  /// The byte at fault, counted from 0.
  public let offset: Int
  /// The line of ``offset``, counted from 1.
  public let line: Int
  /// The column of ``offset``, counted from 1.
  public let column: Int
  /// A description of the error, as a phrase without a position.
  public let message: String

  init(code: Code, offset: Int, position: JSONPosition, message: String) {
    self.code = code
    self.offset = offset
    self.line = position.line
    self.column = position.column
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message, after the line and column if there is a position.
  public var description: String {
    code == .nonFiniteNumber || code == .tooLarge
      ? message : "line \(line), column \(column): \(message)"
  }
}

/// The error that the parser throws internally. It is trivial to throw, so it costs the hot loop
/// nothing. The message and position are created afterwards, once.
package struct ParseFailure: Error {
  package enum Reason {
    case expectedValue, expectedKey, expectedKeyOrEnd, expectedColon
    case expectedCommaOrBracket, expectedCommaOrBrace
    case unterminatedString, controlCharacter, invalidUTF8
    case invalidEscape, invalidUnicodeEscape, loneSurrogate
    case leadingZero, missingDigit
    case byteOrderMark, trailingContent, tooDeep
  }

  let reason: Reason
  let offset: Int
}

extension JSONError {
  /// The public form of a failure in `bytes`.
  // Safe: the excerpt is used only if the offset is in the text.
  init(_ failure: ParseFailure, in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    let offset = failure.offset
    let atEnd = offset >= bytes.count
    let found = unsafe atEnd ? "the end of the text" : JSONError.excerpt(of: bytes, at: offset)
    let expected: (String) -> (Code, String) = {
      (atEnd ? .unexpectedEnd : .unexpectedCharacter, "expected \($0), found \(found)")
    }
    let (code, message): (Code, String) =
      switch failure.reason {
      case .expectedValue: expected("a value")
      case .expectedKey: expected("a key in quotes")
      case .expectedKeyOrEnd: expected("a key in quotes or “}”")
      case .expectedColon: expected("“:” after the key")
      case .expectedCommaOrBracket: expected("“,” or “]”")
      case .expectedCommaOrBrace: expected("“,” or “}”")
      case .unterminatedString: (.unexpectedEnd, "the string is not closed")
      case .controlCharacter:
        (.controlCharacter, "control character \(found) in a string must be escaped")
      case .invalidUTF8: (.invalidUTF8, "\(found) is not valid UTF-8 here")
      case .invalidEscape:
        atEnd
          ? (.unexpectedEnd, "the string is not closed")
          : (.invalidEscape, "“\\” followed by \(found) is not an escape")
      case .invalidUnicodeEscape:
        (.invalidEscape, "“\\u” must be followed by four hexadecimal digits")
      case .loneSurrogate:
        (.loneSurrogate, "the escape is half of a surrogate pair without the other half")
      case .leadingZero: (.invalidNumber, "a number must not have leading zeros")
      case .missingDigit:
        (atEnd ? .unexpectedEnd : .invalidNumber, "expected a digit, found \(found)")
      case .byteOrderMark: (.byteOrderMark, "the text must not start with a byte order mark")
      case .trailingContent: (.trailingContent, "expected nothing after the value, found \(found)")
      case .tooDeep: (.tooDeep, "nested deeper than \(maximumDepth) levels")
      }
    unsafe self.init(
      code: code, offset: offset, position: JSONPosition(offset: offset, in: bytes),
      message: message)
  }

  /// The one character at `offset`: in quotes if it is printable ASCII, by number otherwise.
  // Safe: the caller’s offset is in the text, and the range ends with it.
  private static func excerpt(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    let byte = unsafe bytes[offset]
    if byte > 0x20, byte < 0x7F { return "“\(Character(Unicode.Scalar(byte)))”" }
    let rest = unsafe UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + 4, bytes.count)])
    var decoder = UTF8()
    var iterator = unsafe rest.makeIterator()
    guard case .scalarValue(let scalar) = unsafe decoder.decode(&iterator) else {
      return "byte 0x" + hexadecimal(UInt32(byte), digits: 2)
    }
    return "U+" + hexadecimal(scalar.value, digits: 4)
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// A position in JSON text for a human reader, both parts counted from 1.
///
/// A line ends with LF, CR or CR LF. A column is a Unicode scalar.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The Unicode scalar in the line, counted from 1.
  public let column: Int

  public var description: String { "\(line):\(column)" }

  static let start = JSONPosition(line: 1, column: 1)

  private init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at `offset` (at most `bytes.count`). Reads every byte before it,
  /// eight at a time if possible, since a tool may report many positions in one long line.
  // Safe: only bytes below `offset` are read, and words that end before it.
  init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var lineStart = 0
    var index = 0
    while index < offset {
      if index + 8 <= offset, unsafe !WordScan.hasLineEnd(WordScan.load(bytes.baseAddress! + index))
      {
        index += 8
        continue
      }
      let byte = unsafe bytes[index]
      index += 1
      let isCRBeforeLF =
        unsafe byte == Byte.carriageReturn && index < offset && bytes[index] == Byte.newline
      if byte == Byte.newline || byte == Byte.carriageReturn, !isCRBeforeLF {
        line += 1
        lineStart = index
      }
    }
    var column = 1
    index = lineStart
    while index < offset {
      if index + 8 <= offset {
        unsafe column += WordScan.scalarCount(WordScan.load(bytes.baseAddress! + index))
        index += 8
      } else {
        if unsafe bytes[index] & 0xC0 != 0x80 { column += 1 }
        index += 1
      }
    }
    self.init(line: line, column: column)
  }
}
