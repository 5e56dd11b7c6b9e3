import GraphJSON
import Testing

@Suite struct MemoryTests {
  @Test func documentMemoryIsBoundedByTextSize() throws {
    let text = Samples.response(byteCount: 100_000)
    let document = try JSONDocument(parsing: text)
    #expect(document.byteCount == text.utf8.count)
    #expect(Double(document.memoryFootprint) / Double(document.byteCount) <= 2.4)
  }

  /// The tape's size limit is exact for the densest texts: nothing is written outside it.
  @Test(
    arguments: [
      "[],", "{},", "1,", "[[]],", "\"\",", "{\"\":0},", "{\"\":{}},", "{\"\":[],\"\":{}},",
      "\",,,:::[[[{{{\",",
    ])
  func denseTextsStayWithinTapeSizeLimit(element: String) throws {
    let text = "[" + String(repeating: element, count: 3_000) + "null]"
    let document = try JSONDocument(parsing: text)
    #expect(document.count(at: JSONDocument.rootIndex) == 3_001)
    #expect(document.memoryFootprint <= text.utf8.count * 8 + 64)
  }

  @Test func allInputTypesProduceSameDocument() throws {
    let text = Samples.small
    var spare = Array(text.utf8)
    spare.reserveCapacity(spare.count + 100)
    let documents = [
      try JSONDocument(parsing: text), try JSONDocument(parsing: Array(text.utf8)),
      try JSONDocument(parsing: spare),
      try spare.withUnsafeBufferPointer { try JSONDocument(parsing: $0) },
      try spare.withUnsafeBytes { try JSONDocument(parsing: $0) },
    ]
    #expect(spare == Array(text.utf8))
    for document in documents {
      #expect(document.root.json == documents[0].root.json)
      #expect(document.byteCount == text.utf8.count)
    }
  }

  @Test func emptyBufferThrowsUnexpectedEnd() throws {
    let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: empty) }
    #expect(error.code == .unexpectedEnd)
  }

  @Test func slicesOutliveTheirDocument() throws {
    var document: JSONDocument? = try JSONDocument(parsing: "[\"kept\"]")
    let slice = try #require(document).source(at: 2)
    document = nil
    #expect(String(decoding: slice, as: UTF8.self) == "\"kept\"")
  }
}
