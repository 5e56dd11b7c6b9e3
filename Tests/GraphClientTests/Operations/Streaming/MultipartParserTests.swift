import Testing

@testable import GraphClient

struct MultipartParserTests {
  private func parse(
    _ text: String, chunk: Int = .max, boundary: String = "-"
  ) -> (parts: [String], isComplete: Bool, failure: Graph.TransportError?) {
    var parser = Graph.MultipartParser(boundary: boundary, maximumByteCount: 1000)
    var parts: [[UInt8]] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      parts += parser.feed(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return (texts(parts), parser.isComplete, parser.failure)
  }

  @Test(arguments: [1, 2, 5, 17, 1000])
  func parsingIsIndependentOfChunkSizes(chunk: Int) {
    let text =
      "preamble\r\n---\r\nContent-Type: application/json\r\n\r\n{\"a\":\"-- -\"}\r\n---  \r\n"
      + "Content-Type: application/json\r\nX: y\r\n\r\n{\"b\":2}\r\n-----\r\nepilogue"
    let (parts, isComplete, _) = parse(text, chunk: chunk)
    #expect(parts == ["{\"a\":\"-- -\"}", "{\"b\":2}"])
    #expect(isComplete)
  }

  @Test func partIsDeliveredAtItsClosingDelimiter() {
    let (parts, isComplete, _) = parse("---\r\nA: b\r\n\r\n{}\r\n---\r\n")
    #expect(parts == ["{}"])
    #expect(!isComplete)
  }

  @Test func parsesPartsWithoutHeaderFields() {
    #expect(parse("--gc\r\n\r\n{}\r\n--gc--", boundary: "gc").parts == ["{}"])
  }

  @Test(arguments: [100, 10_000])
  func rejectsPartsLargerThanTheLimit(chunk: Int) {
    let large = String(repeating: "x", count: 3000)
    let (parts, isComplete, failure) = parse(
      "---\r\n\r\n{}\r\n---\r\n\r\n\(large)\r\n---\r\n\r\n{}\r\n-----", chunk: chunk)
    #expect(parts == ["{}"])
    #expect(!isComplete)
    #expect(failure?.code == .tooLarge)
  }

  private func texts(_ parts: [[UInt8]]) -> [String] {
    parts.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aCompleteObjectIsAPartBeforeItsDelimiter() {
    var parser = Graph.MultipartParser(boundary: "-", maximumByteCount: 1_000)
    #expect(parser.feed(Array("---\r\nA: b\r\n\r\n{\"a\":{}".utf8)).isEmpty)
    #expect(parser.earlyPart() == nil)
    #expect(parser.feed(Array("}\r\n".utf8)).isEmpty)
    // The next attempt follows when the buffer is twice as large.
    #expect(parser.earlyPart() == nil)
    #expect(parser.feed(Array(repeating: 0x20, count: 100)).isEmpty)
    #expect(parser.earlyPart().map { texts([$0])[0].hasPrefix("{\"a\":{}}") } == true)
    #expect(parser.earlyPart() == nil)
    // It is not delivered again.
    #expect(parser.feed(Array("\r\n---\r\n\r\n{}".utf8)).isEmpty)
    #expect(parser.earlyPart().map { texts([$0]) } == ["{}"])
    #expect(texts(parser.feed(Array("x\r\n-----".utf8))) == ["{}x"])
    #expect(parser.isComplete)
  }

  /// Some servers send the line end after a delimiter, or the hyphens that end the body, with the next part.
  @Test(arguments: ["{\"a\":1}", "[1]"])
  func aPartHasEndedAtItsDelimiter(_ body: String) {
    var parser = Graph.MultipartParser(boundary: "-", maximumByteCount: 1_000)
    #expect(parser.feed(Array("---".utf8)).isEmpty)
    #expect(parser.earlyPart() == nil)
    #expect(parser.feed(Array("\r\nA: b\r\n\r\n\(body)\r\n---".utf8)).isEmpty)
    #expect(parser.earlyPart().map { texts([$0]) } == [body])
    #expect(parser.earlyPart() == nil)
    #expect(parser.feed(Array("\r\nA: b\r\n\r\n{}\r\n---".utf8)).isEmpty)
    #expect(parser.earlyPart().map { texts([$0]) } == ["{}"])
    #expect(parser.feed(Array("--\r\n".utf8)).isEmpty)
    #expect(parser.isComplete)
  }

  @Test func aPartBeforeThePartOfADelimiterIsEarly() {
    for count in 1..."\r\n--boundary".utf8.count {
      var parser = Graph.MultipartParser(boundary: "boundary", maximumByteCount: 1_000)
      let delimiter = Array("\r\n--boundary".utf8)
      let part = Array("--boundary\r\n\r\n{\"a\":1}".utf8)
      #expect(parser.feed(part + delimiter[..<count]).isEmpty)
      #expect(parser.earlyPart().map { texts([$0]) } == ["{\"a\":1}"])
      #expect(parser.feed(delimiter[count...] + Array("--".utf8)).isEmpty)
      #expect(parser.isComplete)
    }
  }
}
