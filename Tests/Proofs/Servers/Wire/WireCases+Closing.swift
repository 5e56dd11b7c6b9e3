extension WireCase {
  /// The connection is closed after every byte of several responses.
  static var closing: [WireCase] {
    everyByte("closed inside the head", WireBytes.response(), 0..<headCount(WireBytes.response()))
      + everyByte(
        "closed inside the body", WireBytes.response(),
        headCount(WireBytes.response())..<WireBytes.response().count)
      + everyByte(
        "closed inside chunks", Array(WireBytes.chunked.utf8),
        WireBytes.chunkedHead.utf8.count..<WireBytes.chunked.utf8.count - 1)
      + everyByte("closed inside gzip", gzipped, headCount(gzipped)..<gzipped.count)
      + everyByte(
        "closed inside an interim response", interimThenAnswer, 0..<interimThenAnswer.count / 4)
      + [
        WireCase("closed at the end", "a length", WireBytes.response(), .responded),
        WireCase("closed at the end", "chunks", WireBytes.chunked, .responded),
        // libcurl does not require LF there. All chunks have arrived.
        WireCase(
          "closed at the end", "chunks, but for the last LF",
          String(WireBytes.chunked.unicodeScalars.dropLast()), .either(.responded, .lost)),
        WireCase("closed at the end", "gzip", gzipped, .responded),
        WireCase("closed at the end", "neither", WireBytes.raw(), .responded),
        WireCase(
          "closed at the end", "neither, with Connection: close",
          WireBytes.raw(["Connection: close"]),
          .responded),
        WireCase(
          "closed at the end", "HTTP/1.0", WireBytes.raw(status: "HTTP/1.0 200 OK"), .responded),
        WireCase(
          "closed at the end", "its own direction only",
          [[.request, .text(WireBytes.raw()), .finish, .hold]], .responded),
        WireCase(
          "closed at the end", "before a byte, its own direction only",
          [[.request, .finish, .hold]],
          .lost),
      ]
  }

  private static let gzipped = WireBytes.coded(
    "gzip", WireBytes.gzip(Array(WireBytes.response.utf8)))
  private static let interimThenAnswer =
    Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) + WireBytes.response()

  private static func headCount(_ response: [UInt8]) -> Int {
    let end = Array("\r\n\r\n".utf8)
    let start = response.indices.first { response[$0...].starts(with: end) }
    return (start ?? 0) + end.count
  }

  private static func everyByte(
    _ group: String, _ response: [UInt8], _ counts: Range<Int>
  ) -> [WireCase] {
    counts.map { WireCase(group, "after \($0) bytes", Array(response[..<$0]), .lost) }
  }
}
