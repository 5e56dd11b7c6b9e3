/// The error that the parser throws internally. It is trivial to throw, so it costs the hot loop
/// nothing. The message and position are created afterwards, once.
struct ParseFailure: Error {
  enum Reason {
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
