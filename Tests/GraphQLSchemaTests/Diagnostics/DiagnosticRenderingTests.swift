import GraphQLSchema
import Testing

@Suite struct DiagnosticRenderingTests {
  private func rendered(_ sdl: String, name: String = "a.graphqls") -> String {
    let error = #expect(throws: Diagnostics.self) {
      try ServiceSchema(sources: [Source(name: name, text: sdl)])
    }
    return error?.description ?? ""
  }

  @Test func rendersLocationExcerptAndSuggestion() {
    #expect(
      rendered("type Query {\n  item: [Prodct!]\n}\ntype Product { a: Int }") == """
        a.graphqls:2:9: error: Unknown type "Prodct".
         2 |   item: [Prodct!]
           |         ^~~~~~~~~
           = Did you mean "Product"?
        """)
  }

  @Test func rendersNotes() {
    #expect(
      rendered("type Query { a: Int }\nscalar A\n\nenum A { B }") == """
        a.graphqls:4:6: error: There is more than one type "A".
         4 | enum A { B }
           |      ^
        a.graphqls:2:8: note: The first one is here.
         2 | scalar A
           |        ^
        """)
  }

  /// A column is a Unicode scalar value; a tab is one column and printed as a space.
  @Test func countsColumnsInUnicodeScalars() {
    #expect(
      rendered("type Query {\n\t\"é🚀\" a: X }") == """
        a.graphqls:2:10: error: Unknown type "X".
         2 |  "é🚀" a: X }
           |          ^
        """)
  }

  @Test func longLinesAreCut() {
    let fields = (0..<100).map { "field\($0): Int" }.joined(separator: " ")
    let text = rendered("type Query { \(fields) wrong: Missing \(fields) }")
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasSuffix("error: Unknown type \"Missing\"."))
    #expect(lines[1].count < 120 && lines[1].hasPrefix(" 1 | …") && lines[1].hasSuffix("…"))
    let mark = lines[2].firstIndex(of: "^").map {
      lines[2].distance(from: lines[2].startIndex, to: $0)
    }
    let place = lines[1].ranges(of: "Missing").first.map {
      lines[1].distance(from: lines[1].startIndex, to: $0.lowerBound)
    }
    #expect(mark == place)
  }

  @Test(arguments: ["\r\n", "\r", "\n"])
  func recognizesAllLineTerminators(_ terminator: String) {
    let text = rendered("# 1\(terminator)\(terminator)type Query { a: X }")
    #expect(text.hasPrefix("a.graphqls:3:17: error: "))
    #expect(text.contains(" 3 | type Query { a: X }\n"))
  }

  /// No text of a schema can move the cursor, break the line or reverse text.
  @Test func escapesUntrustedText() {
    let adversarial = "\u{1B}[2J\u{202E}\u{2028}\u{7}\u{0}"
    let json = """
      {"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q\u{202E}\u{2028}",\
      "description":"\u{7F}\u{2066}","fields":[]}]}}
      """
    var texts = [rendered("type Query { a: Int } \(adversarial)", name: "a\(adversarial).graphqls")]
    let error = #expect(throws: Diagnostics.self) {
      try ServiceSchema(introspection: Source(name: "a.json", text: json))
    }
    texts.append(error?.description ?? "")
    for text in texts {
      #expect(!text.isEmpty)
      let allowed = text.unicodeScalars.allSatisfy {
        $0 == "\n"
          || !($0.properties.generalCategory == .control)
            && $0.properties.generalCategory != .format
            && $0.properties.generalCategory != .lineSeparator
      }
      #expect(allowed)
      #expect(text.split(separator: "\n").first?.contains("error: ") == true)
    }
  }

  @Test func longNamesAreShortened() {
    let text = rendered("type Query { a: \(String(repeating: "X", count: 10_000)) }")
    #expect(text.utf8.count < 500)
    #expect(text.contains("X…\"."))
  }

  @Test func suggestsOnlySimilarNames() {
    #expect(rendered("type Query { a: string }").contains("Did you mean \"String\"?"))
    #expect(rendered("type Query { a: Stirng }").contains("Did you mean \"String\"?"))
    #expect(!rendered("type Query { a: Whatever }").contains("Did you mean"))
  }
}
