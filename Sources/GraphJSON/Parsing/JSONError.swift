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
