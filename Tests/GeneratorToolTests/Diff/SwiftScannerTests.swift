import Testing

@testable import graphql_generator

@Suite("Swift source is split into words and marks")
struct SwiftScannerTests {
  @Test(arguments: [
    ("a.b(c: 1)", ["a", ".", "b", "(", "c", ":", "1", ")"]),
    ("`default`.x", ["default", ".", "x"]),
    ("a // b\nc", ["a", "c"]),
    ("a /* b /* c */ d */ e", ["a", "e"]),
    ("a /* b", ["a"]),
    (#""a" b"#, ["b"]),
    (#""a \" b" c"#, ["c"]),
    (#""a \(b) c" d"#, ["b", ")", "d"]),
    (#""a \(b(c, "d \(e)")) f" g"#, ["b", "(", "c", ",", "e", ")", ")", ")", "g"]),
    (##"#"a " \(b) \#(c) d"# e"##, ["c", ")", "e"]),
    ("\"\"\"\n a \"b\" \\(c)\n \"\"\" d", ["c", ")", "d"]),
    ("\"a\nb", ["b"]),
    ("\"", []), ("\"\\", []), ("\"\\(", []), ("#\"\\#", []), ("\"\"\"", []),
    ("#if a", ["if", "a"]),
    ("let r = #/\"\"\"/#\nb", ["let", "r", "=", "b"]),
    ("#/ \" /#; b", [";", "b"]), ("##/a/#b/##c", ["c"]), ("#/a\nb", ["b"]),
    ("#/\n \" \\/# \n/# b", ["b"]),
    ("r = /[/*]/\nb", ["r", "=", "b"]), ("f(/\"a/, b)", ["f", "(", ",", "b", ")"]),
    ("return /a\\/\"/", ["return"]), ("case /(a)/: b", ["case", ":", "b"]),
    ("a / b.c / d", ["a", "/", "b", ".", "c", "/", "d"]),
    ("a/b.c/d", ["a", "/", "b", ".", "c", "/", "d"]),
    ("(a)/b/c", ["(", "a", ")", "/", "b", "/", "c"]), ("a!/b/c", ["a", "!", "/", "b", "/", "c"]),
    ("x.reduce(1, /) / y", ["x", ".", "reduce", "(", "1", ",", "/", ")", "/", "y"]),
    ("= /a\n/ b", ["=", "/", "a", "/", "b"]),
    ("größe", ["größe"]),
  ])
  func splitsSourceIntoTokens(source: String, words: [String]) {
    #expect(SwiftScanner.tokens(of: Array(source.utf8)).map(\.text) == words)
  }

  @Test func recordsLineNumbersOfTokens() {
    let source = "a\n/* \n */ b\n\"\"\"\n \\(c)\n\"\"\"\n// d\ne\r\n\"\\\nf"
    let tokens = SwiftScanner.tokens(of: Array(source.utf8))
    #expect(tokens.map(\.line) == [1, 3, 5, 5, 8, 10])
  }

  /// The time is linear; otherwise this would take minutes.
  @Test(arguments: ["(", "\"\\(", "/*", "\\#", "`", "f(", "(/[", "#/\n"])
  func scansUnbalancedSourceInLinearTime(part: String) {
    let source = Array(String(repeating: part, count: 20_000).utf8)
    _ = UseFinder(uses: [.label("a", call: "f")]).lines(in: source)
  }
}
