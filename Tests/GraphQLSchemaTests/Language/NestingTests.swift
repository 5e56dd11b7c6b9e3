import GraphQLSchema
import Testing

/// The input determines its depth, but not the size of the stack.
@Suite struct NestingTests {
  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test(arguments: [200, 201])
  func limitsDepthOfSelectionSets(_ depth: Int) {
    let text = repeated("{a", depth) + repeated("}", depth)
    let error = "1:\(2 * 200 + 1) This is nested more than 200 levels deep."
    #expect(syntaxErrors(text) == (depth > 200 ? [error] : []))
  }

  @Test(arguments: [199, 200])
  func limitsDepthOfListValues(_ depth: Int) {
    let text = "{a(b:" + repeated("[", depth) + repeated("]", depth) + ")}"
    #expect(syntaxErrors(text).count == (depth > 199 ? 1 : 0))
  }

  @Test(arguments: [200, 201])
  func limitsDepthOfListTypes(_ depth: Int) {
    let text = "type A { a: " + repeated("[", depth) + "Int" + repeated("]", depth) + " }"
    #expect(syntaxErrors(text).count == (depth > 200 ? 1 : 0))
  }

  @Test(arguments: ["[", "{a:", "{a", "{a(b:[", "...{"])
  func rejectsMillionLevels(_ opening: String) {
    let values = "{a(b:" + repeated(opening, 1_000_000)
    #expect(syntaxErrors(values).count == 1)
    #expect(syntaxErrors(repeated(opening, 1_000_000)).count == 1)
    let type = "type A { a: " + repeated("[", 1_000_000)
    #expect(syntaxErrors(type) == ["1:213 This is nested more than 200 levels deep."])
  }

  @Test func maximumDepthIsConfigurable() throws {
    let source = Source(name: "test", text: "{a{b{c}}}")
    #expect(throws: Never.self) { try Document(parsing: source, maximumDepth: 3) }
    #expect(throws: Diagnostics.self) { try Document(parsing: source, maximumDepth: 2) }
  }
}
