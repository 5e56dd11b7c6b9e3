import Testing

@testable import GraphQLCodeGen

@Suite struct EscapedTextTests {
  @Test(
    arguments: [
      ("plain", ["plain"]), ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("a\n\nb", ["a", "", "b"]),
      ("trailing  ", ["trailing"]), ("a\tb", ["a b"]), ("\u{0}\u{7F}", [#"\u{0}\u{7F}"#]),
      ("a\u{2028}b\u{85}c", [#"a\u{2028}b\u{85}c"#]), ("\u{202E}x", [#"\u{202E}x"#]),
      ("é 👩‍💻 日本", ["é 👩‍💻 日本"]), ("", [""]), ("\n", ["", ""]),
    ])
  func splitsAndEscapesCommentLines(text: String, lines: [String]) {
    #expect(EscapedText.lines(of: text) == lines)
  }

  @Test(
    arguments: [
      ("plain", "\"plain\""), ("\"\\\n\r\t", #""\"\\\n\r\t""#), ("\\(x)", #""\\(x)""#),
      ("\u{0}\u{2029}\u{2066}", #""\u{0}\u{2029}\u{2066}""#), ("é", "\"é\""), ("", "\"\""),
    ])
  func escapesStringLiterals(text: String, literal: String) {
    #expect(EscapedText.literal(text) == literal)
  }

  @Test(
    arguments: [
      ("1", "`1`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("a\nb", "`a b`"),
    ])
  func quotesInlineCode(text: String, code: String) {
    #expect(EscapedText.code(text) == code)
  }

  @Test func writerIndentsEveryLineOfAComment() {
    var writer = SourceWriter()
    writer.block("enum A") { writer in
      writer.blank()
      writer.comment("one\n\ntwo")
      writer.line("case a")
      writer.blank()
      writer.function("func f", ["a: Int"], result: " -> Int") { $0.line("a") }
      writer.blank()
      let long = String(repeating: "x", count: 90)
      writer.function("func g", ["a: Int", "\(long): Int"]) { _ in }
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        enum A {
          /// one
          ///
          /// two
          case a

          func f(a: Int) -> Int {
            a
          }

          func g(
            a: Int,
            \(String(repeating: "x", count: 90)): Int
          ) {
          }
        }

        """)
  }
}
