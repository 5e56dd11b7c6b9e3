extension ServerCase {
  /// The connection is closed after every byte of several responses.
  static var closing: [ServerCase] {
    everyByte("closed inside the head", HTTPBytes.response(), 0..<headCount(HTTPBytes.response()))
      + everyByte(
        "closed inside the body", HTTPBytes.response(),
        headCount(HTTPBytes.response())..<HTTPBytes.response().count)
      + everyByte(
        "closed inside chunks", Array(HTTPBytes.chunked.utf8),
        HTTPBytes.chunkedHead.utf8.count..<HTTPBytes.chunked.utf8.count - 1)
      + everyByte("closed inside gzip", gzipped, headCount(gzipped)..<gzipped.count)
      + everyByte(
        "closed inside an interim response", interimThenResponse, 0..<interimThenResponse.count / 4)
      + [
        ServerCase("closed at the end", "a length", HTTPBytes.response(), .responded),
        ServerCase("closed at the end", "chunks", HTTPBytes.chunked, .responded),
        // libcurl does not require LF there. All chunks have arrived.
        ServerCase(
          "closed at the end", "chunks, but for the last LF",
          String(HTTPBytes.chunked.unicodeScalars.dropLast()), .either(.responded, .lost)),
        ServerCase("closed at the end", "gzip", gzipped, .responded),
        ServerCase("closed at the end", "neither", HTTPBytes.raw(), .responded),
        ServerCase(
          "closed at the end", "neither, with Connection: close",
          HTTPBytes.raw(["Connection: close"]),
          .responded),
        ServerCase(
          "closed at the end", "HTTP/1.0", HTTPBytes.raw(status: "HTTP/1.0 200 OK"), .responded),
        ServerCase(
          "closed at the end", "its own direction only",
          [[.request, .text(HTTPBytes.raw()), .finish, .hold]], .responded),
        ServerCase(
          "closed at the end", "before a byte, its own direction only",
          [[.request, .finish, .hold]],
          .lost),
      ]
  }

  private static let gzipped = HTTPBytes.coded(
    "gzip", HTTPBytes.gzip(Array(HTTPBytes.response.utf8)))
  private static let interimThenResponse =
    Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) + HTTPBytes.response()

  private static func headCount(_ response: [UInt8]) -> Int {
    let end = Array("\r\n\r\n".utf8)
    let start = response.indices.first { response[$0...].starts(with: end) }
    return (start ?? 0) + end.count
  }

  private static func everyByte(
    _ group: String, _ response: [UInt8], _ counts: Range<Int>
  ) -> [ServerCase] {
    counts.map { ServerCase(group, "after \($0) bytes", Array(response[..<$0]), .lost) }
  }
}
