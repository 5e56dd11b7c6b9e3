import Foundation
import GraphQLSchema
import Testing

/// Byte order marks, other encodings than UTF-8, and line endings, as tools write them.
@Suite struct EncodingTests {
  static let sdl = "type Query {\n  \"A.\"\n  a: Int\n}\n"
  static let json = """
    {"__schema":{"queryType":{"name":"Query"},"types":[
    {"kind":"OBJECT","name":"Query","fields":[
    {"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}
    """

  /// The names of the types, or the findings.
  private func read(_ bytes: [UInt8], _ name: String = "schema") -> [String] {
    do {
      return try ServiceSchema.read([Source(name: name, bytes: bytes)]).types.map(\.name)
    } catch {
      return error.elements.map(summary)
    }
  }

  @Test(arguments: [sdl, json])
  func skipsByteOrderMark(text: String) {
    #expect(read(Array("\u{FEFF}\(text)".utf8)) == ["Query"])
    #expect(read(Array("\u{FEFF} \n\(text)".utf8)) == ["Query"])
  }

  @Test func byteOrderMarkDoesNotCountAsColumn() throws {
    #expect(
      read(Array("\u{FEFF}type Query { a: B }".utf8)) == ["1:17 KnownTypes: Unknown type \"B\"."])
    let wrong = Self.json.replacing("Int", with: "B")
    #expect(read(Array("\u{FEFF}\(wrong)".utf8)) == ["3:54 KnownTypes: Unknown type \"B\"."])
    #expect(
      read(Array("\u{FEFF}{\"a\":}".utf8)).first?.hasPrefix("1:6 syntax: Invalid JSON: ") == true)
    #expect(try Document(parsing: Source(name: "a", text: "\u{FEFF}{ a }")).definitions.count == 1)
    for (start, column, mark) in [(0, 1, 0), (3, 1, 0), (5, 3, 2), (6, 4, 3)] {
      let position = Source(name: "a", text: "\u{FEFF}{ a }").position(from: start, to: start + 1)
      #expect(position.column == column)
      #expect(position.excerpt?.text == "{ a }")
      #expect(position.excerpt?.markStart == mark)
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [sdl, json, "{a}"])
  func reportsUTF16(encoding: String.Encoding, text: String) throws {
    try reports("UTF-16", text, encoding)
  }

  @Test(arguments: [String.Encoding.utf32LittleEndian, .utf32BigEndian], [sdl, json, "{a}"])
  func reportsUTF32(encoding: String.Encoding, text: String) throws {
    try reports("UTF-32", text, encoding)
  }

  private func reports(_ name: String, _ text: String, _ encoding: String.Encoding) throws {
    for mark in ["\u{FEFF}", ""] {
      let bytes = Array(try #require("\(mark)\(text)".data(using: encoding)))
      let error =
        "The source is not valid UTF-8. It seems to be \(name): save it as UTF-8."
      #expect(read(bytes) == ["1:1 syntax: " + error])
      #expect(read(bytes, "schema.json") == ["1:1 syntax: " + error])
      #expect(syntaxErrors(bytes) == ["1:1 " + error])
    }
  }

  @Test(arguments: ["\r", "\r\n", "\n"])
  func linesEndWithEach(end: String) throws {
    let text = """
      # A comment: "\"" { type Nothing
      \"""
      First.
        Second.
      \"""
      type Query { # type A
        a: Int # }
        b: B
      }
      # The end.
      """
    let bytes = Array(text.replacing("\n", with: end).utf8)
    #expect(read(bytes) == ["8:6 KnownTypes: Unknown type \"B\"."])
    let schema = try ServiceSchema.read([
      Source(name: "a", bytes: bytes), Source(name: "b", text: "scalar B"),
    ])
    #expect(schema.type(named: "Query")?.description == "First.\n  Second.")
    #expect(schema.queryType?.fields.map(\.name) == ["a", "b"])
  }

  @Test func commentsHaveAnyCharacters() {
    let comment = "# \u{01}\u{7F}\u{85}\u{2028}\u{202E} */ \"\"\" { } \" \\ 🚀 # \u{FEFF}\t`"
    #expect(read(Array("\(comment)\n#\n\(Self.sdl)\(comment)".utf8)) == ["Query"])
  }
}
