import GraphJSON
import Testing

@Suite struct GrammarTests {
  @Test(arguments: GrammarCases.accepted.map(\.text))
  func acceptsValidTexts(text: String) throws {
    #expect(throws: Never.self) { try JSONDocument(parsing: text) }
    #expect(throws: Never.self) { try JSONDocument(parsing: "[" + text + "]") }
    #expect(throws: Never.self) { try JSONDocument(parsing: "{\"k\":" + text + "}") }
  }

  @Test(arguments: GrammarCases.rejected.map(\.text))
  func rejectsInvalidTexts(text: String) throws {
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
    #expect(error.offset >= 0 && error.offset <= text.utf8.count)
    #expect(error.line >= 1 && error.column >= 1)
    #expect(error.message.utf8.count < 100)
  }

  @Test func grammarCasesAreNumerousAndUnique() {
    #expect(GrammarCases.accepted.count + GrammarCases.rejected.count >= 250)
    #expect(Set(GrammarCases.accepted.map(\.text)).count == GrammarCases.accepted.count)
  }

  @Test(arguments: GrammarCases.malformedUTF8.map(\.bytes))
  func rejectsMalformedUTF8AtEveryPosition(bytes: [UInt8]) throws {
    for count in 0..<18 {
      let padding = [UInt8](repeating: 0x61, count: count)
      let text = [0x22] + padding + bytes + padding + [0x22]
      let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
      #expect(error.code == .invalidUTF8)
      #expect(throws: JSONError.self) { try JSONDocument(parsing: [0x22] + padding + bytes) }
    }
    #expect(throws: JSONError.self) { try JSONDocument(parsing: bytes) }
    #expect(throws: JSONError.self) { try JSONDocument(parsing: [0x5B] + bytes + [0x5D]) }
  }

  @Test func readsEveryUnicodeScalar() throws {
    for start in stride(from: UInt32(0x20), to: 0x110000, by: 97) {
      let scalars = (start..<min(start + 97, 0x110000)).compactMap(Unicode.Scalar.init)
        .filter { $0 != "\"" && $0 != "\\" }
      let string = String(String.UnicodeScalarView(scalars))
      let document = try JSONDocument(parsing: "\"" + string + "\"")
      #expect(document.string(at: JSONDocument.rootIndex).utf8.elementsEqual(string.utf8))
    }
  }

  @Test func utf8ValidationAgreesWithStandardLibrary() {
    // One first byte of each class, with all second bytes and the limits of the third.
    for lead in UInt8(0x80)...0xFF {
      for second in UInt8.min...UInt8.max {
        for rest: [UInt8] in [[], [0x80], [0xBF], [0x80, 0x80], [0x7F, 0x80], [0xBF, 0xC0]] {
          let bytes = [lead, second] + rest
          guard second >= 0x80 else { continue }
          let valid = String.decodeCString(
            bytes + [0], as: UTF8.self, repairingInvalidCodeUnits: false)
          let isAccepted = (try? JSONDocument(parsing: [0x22] + bytes + [0x22])) != nil
          #expect((valid != nil) == isAccepted, "\(bytes)")
        }
      }
    }
  }
}
