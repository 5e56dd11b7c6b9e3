import GraphQLSchema
import Testing

/// Tokens, and texts that are not tokens (section 2.1, 2.10).
@Suite struct LexicalGrammarTests {
  @Test(arguments: [
    "0", "-0", "1", "-1", "42", "9007199254740993", "123456789012345678901234567890",
  ])
  func parsesIntegers(_ text: String) throws {
    #expect(try parseValue(text) == Document.Value(.int(text)))
  }

  @Test(arguments: ["0.0", "-0.5", "1e3", "1E3", "1e+3", "1e-3", "6.0221413e23", "0e0", "1.50"])
  func parsesFloats(_ text: String) throws {
    #expect(try parseValue(text) == Document.Value(.float(text)))
  }

  @Test(arguments: [
    ("00", "A number must not start with a zero."),
    ("-01", "A number must not start with a zero."),
    ("+1", "Unexpected character \"+\"."),
    ("-", "Expected a digit in the number \"-\"."),
    ("-a", "Expected a digit in the number \"-\"."),
    ("1.", "Expected a digit in the number \"1.\"."),
    ("1.e1", "Expected a digit in the number \"1.\"."),
    ("1e", "Expected a digit in the number \"1e\"."),
    ("1e+", "Expected a digit in the number \"1e+\"."),
    ("1a", "A number must not be followed by \"a\"."),
    ("0x1F", "A number must not be followed by \"x1F\"."),
    ("1.5.2", "A number must not be followed by \".2\"."),
    ("1_000", "A number must not be followed by \"_000\"."),
    (".5", "Unexpected \".\"."),
    ("..", "Unexpected \".\"."),
    ("'a'", "Unexpected character \"'\"."),
    ("é", "Unexpected character \"é\"."),
    ("\u{0}", "Unexpected character \"\\u{0}\"."),
    ("\u{7}", "Unexpected character \"\\u{7}\"."),
    ("\u{A0}1", "Unexpected character \"\u{A0}\"."),
    ("\u{202E}", "Unexpected character \"\\u{202E}\"."),
    ("1 2", "Expected the end, found \"2\"."),
    ("", "Expected a value, found the end of the document."),
  ])
  func rejectsInvalidValues(text: String, message: String) {
    let error = #expect(throws: Diagnostics.self) { try parseValue(text) }
    #expect(error?.elements.map(\.message) == [message])
  }

  @Test(arguments: [
    (#""""#, ""),
    (#""a b""#, "a b"),
    (#""é🚀""#, "é🚀"),
    (#""\" \\ \/ \b \f \n \r \t""#, "\" \\ / \u{8} \u{C} \n \r \t"),
    (#""\u00e9\u00E9""#, "éé"),
    (#""\uD83D\uDE80""#, "🚀"),
    (#""\u{1F680}\u{e9}\u{0000000041}""#, "🚀éA"),
    ("\"# no comment\"", "# no comment"),
    ("\"a\tb\"", "a\tb"),
    ("\"a\u{0}b\u{7}\"", "a\u{0}b\u{7}"),
    ("\"\u{2028}\"", "\u{2028}"),
  ])
  func parsesStrings(text: String, value: String) throws {
    #expect(try parseValue(text) == .string(value))
  }

  @Test(arguments: [
    (#"""#, "This string is not closed."),
    (#""a"#, "This string is not closed."),
    (#""a\""#, "This string is not closed."),
    ("\"a\nb\"", "This string is not closed."),
    ("\"a\rb\"", "This string is not closed."),
    ("\"a\\\nb\"", "This string is not closed."),
    (#""\x""#, #"Unknown escape "\x" in a string."#),
    (#""\é""#, #"Unknown escape "\é" in a string."#),
    (#""\u12G4""#, #""\u12" is not the escape of a Unicode character."#),
    (#""\u12""#, #""\u12" is not the escape of a Unicode character."#),
    (#""\uD83D""#, #""\uD83D" is not the escape of a Unicode character."#),
    (#""\uDE80""#, #""\uDE80" is not the escape of a Unicode character."#),
    (#""\uD83D\u0041""#, #""\uD83D" is not the escape of a Unicode character."#),
    (#""\u{D83D}\u{DE80}""#, #""\u{D83D}" is not the escape of a Unicode character."#),
    (#""\u{}""#, #""\u{}" is not the escape of a Unicode character."#),
    (#""\u{110000}""#, #""\u{110000}" is not the escape of a Unicode character."#),
    (
      #""\u{FFFFFFFFFFFFFFFFFFFF}""#,
      #""\u{FFFFFFFFFFFFFFFFFFFF}" is not the escape of a Unicode character."#
    ),
    (#""\u{41""#, #""\u{41" is not the escape of a Unicode character."#),
    (#""""a"#, "This block string is not closed."),
    (#""""a""\""""#, "This block string is not closed."),
  ])
  func rejectsInvalidStrings(text: String, message: String) {
    let error = #expect(throws: Diagnostics.self) { try parseValue(text) }
    #expect(error?.elements.map(\.message) == [message])
  }

  /// Bytes that are not UTF-8, in a string, in a comment or elsewhere (section 2.1).
  @Test(arguments: [
    [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFF],
  ])
  func rejectsInvalidUTF8(_ bytes: [UInt8]) {
    let text = Array("{ a }\n# ".utf8) + bytes + Array(" b".utf8)
    #expect(syntaxErrors(text) == ["2:3 The source is not valid UTF-8."])
  }

  @Test func rejectsUTF16() {
    #expect(
      syntaxErrors([0xFF, 0xFE, 0x7B, 0x00]) == [
        "1:1 The source is not valid UTF-8. It seems to be UTF-16: save it as UTF-8."
      ])
  }

  @Test(arguments: [
    ("null", Document.Value.null), ("true", .boolean(true)), ("false", .boolean(false)),
    ("A", .enum("A")),
    ("[]", .list([])), ("[1 [2]]", .list([.int(1), .list([.int(2)])])), ("{}", .object([])),
    (
      "{a:1 b:{}}",
      .object([
        Document.ObjectField(name: "a", value: .int(1)),
        Document.ObjectField(name: "b", value: .object([])),
      ])
    ),
  ])
  func parsesOtherValues(text: String, value: Document.Value) throws {
    #expect(try parseValue(text) == value)
  }
}
