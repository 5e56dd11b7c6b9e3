import GraphQLPrinting
import GraphQLSchema
import Testing

/// Block strings have the meaning that section 2.10.4 defines, and are printed with that meaning.
@Suite struct BlockStringTests {
  @Test(arguments: [
    ("", ""),
    (" a ", " a "),
    ("\n  a\n    b\n\n  c\n", "a\n  b\n\nc"),
    ("a\n  b\n c", "a\n b\nc"),
    ("\n\n  a\n\n\n", "a"),
    ("\n   \t \n", ""),
    ("\n\ta\n\t\tb", "a\n\tb"),
    ("\n a\n  \n b", "a\n \nb"),
    ("\r\n  a\r\n  b\r  c\n", "a\nb\nc"),
    ("\\\"\"\"", "\"\"\""),
    ("a \\\"\"\" b", "a \"\"\" b"),
    ("\\\\\"\"\" b", "\\\"\"\" b"),
    ("\\n \\u0041 \\", "\\n \\u0041 \\"),
    ("\"\"a", "\"\"a"),
    ("\u{0}é🚀", "\u{0}é🚀"),
  ])
  func parsesBlockStrings(raw: String, value: String) throws {
    // A final space separates a quote or backslash at the end from the closing quotes.
    let closing = raw.hasSuffix("\\") ? "\n\"\"\"" : "\"\"\""
    #expect(try parseValue("\"\"\"" + raw + closing) == .string(value))
  }

  /// Printing and parsing keep every description.
  @Test(arguments: [
    "", " ", "a", " a", "a ", "\ta", "a\n", "\na", "a\nb", "a\n  b", "  a\nb", "  a\n  b", "a\n\nb",
    "a\n   \nb", "\"", "\"\"", "\"\"\"", "\"\"\"\"", "\"\"\"\"\"\"\"", "a\"", "a\\", "a\\\"",
    "\\\"\"\"", "a\nb\"", "a\nb\\", "a\rb", "a\r\nb", "\u{0}", "a\u{7}b", "a\u{7F}b", "é🚀\u{2028}",
    "\u{202E}a", "*/ /* // #", "\\u0041 \\n \\(x)", String(repeating: "long ", count: 30) + "end",
    "\u{FEFF}", "\t\n a\n\t", "a\n\tb\n\tc",
  ])
  func descriptionsRoundTrip(_ text: String) throws {
    let document = Document(definitions: [
      .type(
        .enum(
          EnumType(
            description: text, name: "A",
            values: [EnumValueDefinition(description: text, name: "B")])))
    ])
    #expect(try parse(document.text) == document)
  }

  @Test(arguments: [
    "a", "\"", "\\", "\n", "\r\u{0}\u{1F}\u{7F}\u{9F}", "é🚀\u{2028}\u{202E}", "\"\"\"",
  ])
  func stringValuesRoundTrip(_ text: String) throws {
    #expect(try parseValue(Document.Value.string(text).description) == .string(text))
  }

  @Test func printsCanonicalForms() throws {
    let short = try parse("\"short\" scalar A")
    #expect(short.text == "\"\"\"short\"\"\"\nscalar A\n")
    let lines = try parse("type A { \"one\\ntwo\" b: T }")
    #expect(lines.text == "type A {\n  \"\"\"\n  one\n  two\n  \"\"\"\n  b: T\n}\n")
    let indented = try parse("\" a\" scalar A")
    #expect(indented.text == "\" a\"\nscalar A\n")
  }
}
