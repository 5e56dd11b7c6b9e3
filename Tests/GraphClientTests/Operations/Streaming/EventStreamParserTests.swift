import Testing

@testable import GraphClient

struct EventStreamParserTests {
  private func parse(
    _ text: String, chunk: Int = .max
  ) -> (events: [Graph.ServerEvent], failure: Graph.TransportError?) {
    var parser = Graph.EventStreamParser(maximumByteCount: 1000)
    var events: [Graph.ServerEvent] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      events += parser.feed(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return (events, parser.failure)
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func parsingIsIndependentOfChunkSizes(chunk: Int) {
    let text =
      "\u{FEFF}event: next\r\ndata: {\"a\":1}\r\n\r\n: comment\n\ndata:x\ndata: y\nid: 7\n\n"
      + "event:complete\rdata:\r\revent: lost\ndata: never ended"
    #expect(
      parse(text, chunk: chunk).events == [
        .init(type: "next", data: "{\"a\":1}"), .init(type: "message", data: "x\ny"),
        .init(type: "complete", data: ""),
      ])
  }

  @Test func completeEventNeedsNoData() {
    #expect(parse("event: complete\n\n").events == [.init(type: "complete", data: "")])
  }

  @Test func aLineWithoutColonIsAFieldWithoutValue() {
    #expect(parse("data\ndata\n\n").events == [.init(type: "message", data: "\n")])
    #expect(parse("retry: 5\nother: 7\n\n").events.isEmpty)
  }

  @Test(arguments: [
    "data: \(String(repeating: "x", count: 2000))",
    String(repeating: "data: 0123456789\n", count: 200),
  ])
  func rejectsEventsLargerThanTheLimit(text: String) {
    let (events, failure) = parse("data: first\n\n" + text + "\n\ndata: last\n\n")
    #expect(events == [.init(type: "message", data: "first")])
    #expect(failure?.code == .tooLarge)
  }

  @Test func keepsTheLastEventID() {
    var parser = Graph.EventStreamParser(maximumByteCount: 100)
    _ = parser.feed(Array("id: 1\n\nid: 2\ndata: x\n\nid: \u{0}\n\n".utf8))
    #expect(parser.lastEventID == "2")
  }
}
