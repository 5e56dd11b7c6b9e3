import GraphQLSchema
import Testing

/// After a syntax error the parser continues at the next definition.
@Suite struct SyntaxErrorRecoveryTests {
  @Test func everyBrokenDefinitionIsReported() {
    let text = """
      type A { a: }
      type B { b: Int }
      enum C { true }
      union D = | |
      type E { e(: Int }
      "described" scalar F %
      extend enum G
      """
    #expect(
      syntaxErrors(text) == [
        "1:13 Expected a type, found \"}\".",
        "3:10 An enum value cannot be called \"true\".",
        "4:13 Expected a type's name, found \"|\".",
        "5:12 Expected an argument, found \":\".",
        "6:22 Unexpected character \"%\".",
        "7:14 Expected the content of the extension of \"G\", found the end of the document.",
      ])
  }

  @Test func recoversWithinOneLine() {
    #expect(
      syntaxErrors("type A { a: } type B { b } type C { c: Int }") == [
        "1:13 Expected a type, found \"}\".", "1:26 Expected \":\", found \"}\".",
      ])
  }

  /// After a missing bracket, the next definitions are still read.
  @Test func recoversAfterMissingBracket() {
    #expect(
      syntaxErrors("type A {\n  a: Int\n\ntype B {\n  b: }\n") == [
        "4:6 Expected \":\", found \"B\".", "5:6 Expected a type, found \"}\".",
      ])
  }

  @Test func recoversAfterLexicalErrors() {
    #expect(
      syntaxErrors("type A { a(b: Int = \"x\n }\ntype B { b: % }\n") == [
        "1:21 This string is not closed. Text of several lines is written in \"\"\"block strings\"\"\".",
        "3:13 Unexpected character \"%\".",
      ])
  }

  @Test func recoversAfterInvalidDescription() {
    #expect(
      syntaxErrors("\"\\x\" type A { a: Int }\ntype B { b: }") == [
        "1:2 Unknown escape \"\\x\" in a string. A backslash is written as \"\\\\\".",
        "2:13 Expected a type, found \"}\".",
      ])
  }

  @Test func reportsTwoHundredErrors() throws {
    let lines = (0..<200).map { "type T\($0) { a: }" }
    let errors = syntaxErrors(lines.joined(separator: "\n"))
    #expect(errors.count == 200)
    #expect(errors.last == "200:16 Expected a type, found \"}\".")
  }

  @Test(arguments: ["type 1 ", "} ", "type A { a: } ", "\"", "\\ ", "{ ", "extend ", "@"])
  func limitsNumberOfErrors(_ garbage: String) {
    let errors = syntaxErrors(String(repeating: garbage, count: 20_000))
    #expect(!errors.isEmpty && errors.count <= 1_001)
  }

  @Test func reportsPositionOfUnclosedBracket() throws {
    let error = #expect(throws: Diagnostics.self) { try parse("type A {\n  a(b: Int") }
    let diagnostic = try #require(error?.elements.first)
    #expect(diagnostic.message == "Expected an argument, found the end of the document.")
    #expect(diagnostic.notes.map(\.message) == ["It is opened here."])
    #expect(diagnostic.notes.first?.position?.line == 2)
    #expect(diagnostic.notes.first?.position?.column == 4)
  }
}
