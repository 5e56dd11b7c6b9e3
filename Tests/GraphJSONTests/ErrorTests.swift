import GraphJSON
import Testing

@Suite struct ErrorTests {
  private func error(_ text: String) throws -> JSONError {
    try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd, "line 1, column 1: expected a value, found the end of the text"),
      ("[1,", .unexpectedEnd, "line 1, column 4: expected a value, found the end of the text"),
      ("<!DOCTYPE html>", .unexpectedCharacter, "line 1, column 1: expected a value, found “<”"),
      (
        "\u{FEFF}{}", .byteOrderMark,
        "line 1, column 1: the text must not start with a byte order mark"
      ),
      ("{\n  \"é\": é }", .unexpectedCharacter, "line 2, column 8: expected a value, found U+00E9"),
      ("{\"a\":1,}", .unexpectedCharacter, "line 1, column 8: expected a key in quotes, found “}”"),
      (
        "{a:1}", .unexpectedCharacter,
        "line 1, column 2: expected a key in quotes or “}”, found “a”"
      ),
      (
        "{\"a\" 1}", .unexpectedCharacter, "line 1, column 6: expected “:” after the key, found “1”"
      ),
      ("[1\r\n 2]", .unexpectedCharacter, "line 2, column 2: expected “,” or “]”, found “2”"),
      ("{\"a\":1\r]", .unexpectedCharacter, "line 2, column 1: expected “,” or “}”, found “]”"),
      ("\"abc", .unexpectedEnd, "line 1, column 5: the string is not closed"),
      ("\"abc\\", .unexpectedEnd, "line 1, column 6: the string is not closed"),
      (
        "\"a\nb\"", .controlCharacter,
        "line 1, column 3: control character U+000A in a string must be escaped"
      ),
      (#""\q""#, .invalidEscape, "line 1, column 3: “\\” followed by “q” is not an escape"),
      (
        #""\u12x""#, .invalidEscape,
        "line 1, column 2: “\\u” must be followed by four hexadecimal digits"
      ),
      (
        #""😀\udc00""#, .loneSurrogate,
        "line 1, column 3: the escape is half of a surrogate pair without the other half"
      ),
      ("012", .invalidNumber, "line 1, column 2: a number must not have leading zeros"),
      ("-x", .invalidNumber, "line 1, column 2: expected a digit, found “x”"),
      ("1.", .unexpectedEnd, "line 1, column 3: expected a digit, found the end of the text"),
      ("{} []", .trailingContent, "line 1, column 4: expected nothing after the value, found “[”"),
      ("1\0", .trailingContent, "line 1, column 2: expected nothing after the value, found U+0000"),
      ("nulL", .unexpectedCharacter, "line 1, column 4: expected a value, found “L”"),
    ] as [(String, JSONError.Code, String)])
  func errorHasCodeAndDescription(text: String, code: JSONError.Code, description: String) throws {
    let error = try error(text)
    #expect(error.code == code)
    #expect(error.description == description)
  }

  @Test func invalidUTF8ErrorContainsByte() throws {
    let bytes: [UInt8] = [0x22, 0xC3, 0xA9, 0xFF, 0x22]
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: bytes) }
    #expect(error.description == "line 1, column 3: byte 0xFF is not valid UTF-8 here")
    #expect(error.offset == 3)
  }

  @Test func countsLinesWithEveryLineEnding() throws {
    let document = try JSONDocument(parsing: "[1,\n2,\r3,\r\n4,\n\n\"日本\", 5]")
    let positions = document.root.array?.map(\.position.description)
    #expect(positions == ["1:2", "2:1", "3:1", "4:1", "6:1", "6:7"])
    #expect(document.root.line == 1 && document.root.column == 1)
  }

  /// Line ends and long characters at every distance from each other.
  @Test(arguments: ["\n", "\r", "\r\n"])
  func columnsCountUnicodeScalars(lineEnd: String) throws {
    for spaces in 0..<20 {
      let line = String(repeating: " ", count: spaces) + lineEnd
      let head = line + line + "[\"" + String(repeating: "é😀", count: spaces) + "\" ,"
      let error = try error(head + "?")
      #expect(error.line == 3)
      #expect(error.column == 6 + 2 * spaces)
    }
  }

  @Test func rejectsTooLargeTextWithoutReading() throws {
    // Reserved and never used, so it needs address space only.
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: JSONDocument.maximumByteCount + 1, alignment: 1)
    defer { memory.deallocate() }
    let error = try #require(throws: JSONError.self) {
      try JSONDocument(parsing: UnsafeRawBufferPointer(memory))
    }
    #expect(error.code == .tooLarge)
    #expect(error.description == "the text has 536870912 bytes; the maximum is 536870911")
  }
}
