import GraphJSON
import Testing

@Suite struct WriterTests {
  private func text(
    _ style: JSONWriter.Style = .compact, _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> String {
    var writer = JSONWriter(style: style)
    try write(&writer)
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  private func writeSample(_ writer: inout JSONWriter) throws {
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.int(1)
    try writer.double(2.5)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.endArray()
    writer.key("b\n")
    writer.bool(true)
    writer.key("c")
    writer.null()
    writer.key("d")
    writer.fragment("{\"x\": 1}".utf8)
    writer.endObject()
  }

  @Test func writesCompactText() throws {
    let text = try text { try writeSample(&$0) }
    #expect(text == #"{"a":[1,2.5,{},[]],"b\n":true,"c":null,"d":{"x": 1}}"#)
  }

  @Test func writesIndentedText() throws {
    let text = try text(.indented(by: 2)) { try writeSample(&$0) }
    #expect(
      text == """
        {
          "a": [
            1,
            2.5,
            {},
            []
          ],
          "b\\n": true,
          "c": null,
          "d": {"x": 1}
        }
        """)
  }

  @Test func escapesOnlyRequiredCharacters() {
    let string = "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}é\u{2028}😀"
    #expect(
      text { $0.string(string) }
        == #""\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\/"# + "\u{7F}é\u{2028}😀\"")
  }

  /// Non-ASCII bytes whose low seven bits are a quote, a backslash or a control character, next to
  /// bytes that a borrow could change.
  @Test func everyPairOfScalarsRoundTrips() throws {
    let scalars = [
      "\u{22}", "\u{23}", "\u{5C}", "\u{5D}", "\u{1F}", "\u{20}", "\u{A2}", "\u{A3}", "\u{DC}",
      "\u{722}", "a",
    ]
    for first in scalars {
      for second in scalars {
        for before in 0..<9 {
          let string = String(repeating: "x", count: before) + first + second + "#]! yyyyyyyy"
          let document = try JSONDocument(parsing: text { $0.string(string) })
          #expect(document.string(at: JSONDocument.rootIndex) == string)
        }
      }
    }
  }

  @Test(
    arguments: [
      (0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (-2.5, "-2.5"), (100, "100.0"),
    ])
  func writesDoubles(value: Double, expected: String) throws {
    let text = try text { try $0.double(value) }
    #expect(text == expected)
    let document = try JSONDocument(parsing: text)
    #expect(document.double(at: JSONDocument.rootIndex)?.bitPattern == value.bitPattern)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func nonFiniteDoublesAreRefused(value: Double) throws {
    var writer = JSONWriter()
    let error = try #require(throws: JSONError.self) { try writer.double(value) }
    #expect(error.code == .nonFiniteNumber)
    #expect(error.description == "\(value) has no JSON form")
    // Nothing was written, and the writer can be used further.
    writer.null()
    #expect(writer.finish() == Array("null".utf8))
  }

  @Test func fragmentsOfDocumentsKeepTheirText() throws {
    let document = try JSONDocument(parsing: #"{"n":1.50,"s":"\u0041"}"#)
    let members = try #require(document.root.members)
    let text = text { writer in
      writer.beginArray()
      for member in members { writer.fragment(of: document, at: member.value.index) }
      writer.fragment(of: document, at: JSONDocument.rootIndex)
      writer.endArray()
    }
    #expect(text == #"[1.50,"\u0041",{"n":1.50,"s":"\u0041"}]"#)
  }

  @Test(arguments: GrammarCases.accepted.map(\.text))
  func treesRoundTrip(text: String) throws {
    let json = try JSON(parsing: Array(text.utf8))
    for style in [JSONWriter.Style.compact, .indented(by: 4)] {
      var writer = JSONWriter(style: style)
      writer.value(json)
      #expect(try JSON(parsing: writer.finish()) == json)
    }
  }

  @Test func compactTextRoundTrips() throws {
    let text = Samples.response(byteCount: 5_000).replacing("\\u00e9", with: "é")
    #expect(try JSON(parsing: Array(text.utf8)).description == text)
  }

  @Test func deepTreesAreWrittenWithoutRecursion() throws {
    var json = JSON.null
    for level in 0..<5_000 { json = level % 2 == 0 ? .array([json]) : ["k": json] }
    let text = json.description
    #expect(text.utf8.count == 2_500 * 2 + 2_500 * 6 + 4)
    #expect(text.hasPrefix("{\"k\":[{\"k\":["))
  }
}
