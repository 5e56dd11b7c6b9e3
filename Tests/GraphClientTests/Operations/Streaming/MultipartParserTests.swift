import Testing

@testable import GraphClient

struct MultipartParserTests {
  private func parts(
    _ text: String, chunk: Int = .max, boundary: String = "-"
  ) throws -> (parts: [String], isComplete: Bool) {
    var parser = Graph.MultipartParser(boundary: boundary, maximumByteCount: 1000)
    var parts: [[UInt8]] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      parts += try parser.feed(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return (parts.map { String(decoding: $0, as: UTF8.self) }, parser.isComplete)
  }

  @Test(arguments: [1, 2, 5, 17, 1000])
  func parsingIsIndependentOfChunkSizes(chunk: Int) throws {
    let text =
      "preamble\r\n---\r\nContent-Type: application/json\r\n\r\n{\"a\":\"-- -\"}\r\n---  \r\n"
      + "Content-Type: application/json\r\nX: y\r\n\r\n{\"b\":2}\r\n-----\r\nepilogue"
    let (parts, isComplete) = try parts(text, chunk: chunk)
    #expect(parts == ["{\"a\":\"-- -\"}", "{\"b\":2}"])
    #expect(isComplete)
  }

  @Test func partIsDeliveredAtItsClosingDelimiter() throws {
    let (parts, isComplete) = try parts("---\r\nA: b\r\n\r\n{}\r\n---\r\n")
    #expect(parts == ["{}"])
    #expect(!isComplete)
  }

  @Test func parsesPartsWithoutHeaderFields() throws {
    #expect(try parts("--gc\r\n\r\n{}\r\n--gc--", boundary: "gc").parts == ["{}"])
  }

  @Test func rejectsPartsLargerThanTheLimit() {
    let error = #expect(throws: Graph.TransportError.self) {
      try parts("---\r\n\r\n" + String(repeating: "x", count: 3000), chunk: 100)
    }
    #expect(error?.code == .tooLarge)
  }

  private func text(_ parts: [[UInt8]]) -> [String] {
    parts.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aCompleteObjectIsAPartBeforeItsDelimiter() throws {
    var parser = Graph.MultipartParser(boundary: "-", maximumByteCount: 1_000)
    #expect(try parser.feed(Array("---\r\nA: b\r\n\r\n{\"a\":{}".utf8)).isEmpty)
    #expect(parser.earlyPart() == nil)
    #expect(try parser.feed(Array("}\r\n".utf8)).isEmpty)
    // The next attempt follows when the buffer is twice as large.
    #expect(parser.earlyPart() == nil)
    #expect(try parser.feed(Array(repeating: 0x20, count: 100)).isEmpty)
    #expect(parser.earlyPart().map { text([$0])[0].hasPrefix("{\"a\":{}}") } == true)
    #expect(parser.earlyPart() == nil)
    // It is not delivered again.
    #expect(try parser.feed(Array("\r\n---\r\n\r\n{}".utf8)).isEmpty)
    #expect(parser.earlyPart().map { text([$0]) } == ["{}"])
    #expect(try text(parser.feed(Array("x\r\n-----".utf8))) == ["{}x"])
    #expect(parser.isComplete)
  }

  /// Some servers send the line end after a delimiter, or the hyphens that end the body, with the next part.
  @Test(arguments: ["{\"a\":1}", "[1]"])
  func aPartHasEndedAtItsDelimiter(_ body: String) throws {
    var parser = Graph.MultipartParser(boundary: "-", maximumByteCount: 1_000)
    #expect(try parser.feed(Array("---".utf8)).isEmpty)
    #expect(parser.earlyPart() == nil)
    #expect(try parser.feed(Array("\r\nA: b\r\n\r\n\(body)\r\n---".utf8)).isEmpty)
    #expect(parser.earlyPart().map { text([$0]) } == [body])
    #expect(parser.earlyPart() == nil)
    #expect(try parser.feed(Array("\r\nA: b\r\n\r\n{}\r\n---".utf8)).isEmpty)
    #expect(parser.earlyPart().map { text([$0]) } == ["{}"])
    #expect(try parser.feed(Array("--\r\n".utf8)).isEmpty)
    #expect(parser.isComplete)
  }

  @Test func aPartBeforeThePartOfADelimiterIsEarly() throws {
    for count in 1..."\r\n--boundary".utf8.count {
      var parser = Graph.MultipartParser(boundary: "boundary", maximumByteCount: 1_000)
      let delimiter = Array("\r\n--boundary".utf8)
      let part = Array("--boundary\r\n\r\n{\"a\":1}".utf8)
      #expect(try parser.feed(part + delimiter[..<count]).isEmpty)
      #expect(parser.earlyPart().map { text([$0]) } == ["{\"a\":1}"])
      #expect(try parser.feed(delimiter[count...] + Array("--".utf8)).isEmpty)
      #expect(parser.isComplete)
    }
  }
}
