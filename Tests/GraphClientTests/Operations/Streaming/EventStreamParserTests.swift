import Testing

@testable import GraphClient

struct EventStreamParserTests {
  private func events(_ text: String, chunk: Int = .max) throws -> [Graph.ServerEvent] {
    var parser = Graph.EventStreamParser(maximumByteCount: 1000)
    var events: [Graph.ServerEvent] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      events += try parser.feed(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return events
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func parsingIsIndependentOfChunkSizes(chunk: Int) throws {
    let text =
      "\u{FEFF}event: next\r\ndata: {\"a\":1}\r\n\r\n: comment\n\ndata:x\ndata: y\nid: 7\n\n"
      + "event:complete\rdata:\r\revent: lost\ndata: never ended"
    #expect(
      try events(text, chunk: chunk) == [
        .init(type: "next", data: "{\"a\":1}"), .init(type: "message", data: "x\ny"),
        .init(type: "complete", data: ""),
      ])
  }

  @Test func completeEventNeedsNoData() throws {
    #expect(try events("event: complete\n\n") == [.init(type: "complete", data: "")])
  }

  @Test func aLineWithoutColonIsAFieldWithoutValue() throws {
    #expect(try events("data\ndata\n\n") == [.init(type: "message", data: "\n")])
    #expect(try events("retry: 5\nother: 7\n\n").isEmpty)
  }

  @Test(arguments: [
    "data: \(String(repeating: "x", count: 2000))",
    String(repeating: "data: 0123456789\n", count: 200),
  ])
  func rejectsEventsLargerThanTheLimit(text: String) {
    let error = #expect(throws: Graph.TransportError.self) { try events(text) }
    #expect(error?.code == .tooLarge)
  }

  @Test func keepsTheLastEventID() throws {
    var parser = Graph.EventStreamParser(maximumByteCount: 100)
    _ = try parser.feed(Array("id: 1\n\nid: 2\ndata: x\n\nid: \u{0}\n\n".utf8))
    #expect(parser.lastEventID == "2")
  }
}
