import GraphJSON
import Testing

@Suite struct StringTests {
  private func string(_ text: String) throws -> String {
    try JSONDocument(parsing: text).string(at: JSONDocument.rootIndex)
  }

  @Test(
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
      (#""\uD83D\uDE00""#, "😀"), (#""\ud800\udc00""#, "\u{10000}"),
      (#""\udbff\udfff""#, "\u{10FFFF}"), (#""a\u0000b""#, "a\0b"), (#""\\u0041""#, "\\u0041"),
      (#""\\\u0041""#, "\\A"), (#""é\né""#, "é\né"),
      (#""\u007f\u0080\u07ff\u0800\uffff""#, "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}"),
      (#""x\ud83d\ude00\ud83d\ude01y""#, "x😀😁y"), (#""\ufeffa""#, "\u{FEFF}a"),
    ])
  func escapesAreResolved(text: String, value: String) throws {
    #expect(try string(text).utf8.elementsEqual(value.utf8))
  }

  /// Special characters at every distance from the start: words of eight bytes are read at a time.
  @Test(arguments: ["é", "\\n", "\\u00e9", "😀", "\\ud83d\\ude00", "\\\"", "\\\\"])
  func readsSpecialCharactersAtEveryOffset(special: String) throws {
    for before in 0..<20 {
      for after in 0..<10 {
        let head = String(repeating: "h", count: before)
        let tail = String(repeating: "t", count: after)
        let value = try string("\"" + special + "\"")
        #expect(try string("\"" + head + special + tail + "\"") == head + value + tail)
        let twice = try string("\"" + head + special + special + tail + "\"")
        #expect(twice == head + value + value + tail)
      }
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 4_095, 1_000_000])
  func readsShortAndLongStrings(count: Int) throws {
    let plain = String(repeating: "a", count: count)
    #expect(try string("\"" + plain + "\"") == plain)
    let accented = String(repeating: "é", count: count)
    #expect(try string("\"" + accented + "\"") == accented)
    let escaped = String(repeating: #"\u00e9"#, count: count)
    #expect(try string("\"" + escaped + "\"") == accented)
  }

  @Test func readsEveryCodeUnitEscape() throws {
    for unit in UInt32(0)...0xFFFF {
      let digits = String(unit, radix: 16)
      let text = "\"\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "\""
      guard let scalar = Unicode.Scalar(unit) else {
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
        #expect(error.code == .loneSurrogate)
        continue
      }
      #expect(try string(text).unicodeScalars.elementsEqual([scalar]))
    }
  }

  @Test func sourceIncludesQuotesAndEscapes() throws {
    let document = try JSONDocument(parsing: #"  ["\u0041\"", {"k\n" : -1.50 }]"#)
    let root = JSONDocument.rootIndex
    func source(_ index: Int) -> String {
      String(decoding: document.source(at: index), as: UTF8.self)
    }
    #expect(source(root) == #"["\u0041\"", {"k\n" : -1.50 }]"#)
    let first = document.firstChild(of: root)
    #expect(source(first) == #""\u0041\"""#)
    let object = document.next(after: first)
    #expect(source(object) == #"{"k\n" : -1.50 }"#)
    #expect(source(document.firstChild(of: object)) == #""k\n""#)
    #expect(document.sourceRange(at: first) == 3..<13)
  }
}
