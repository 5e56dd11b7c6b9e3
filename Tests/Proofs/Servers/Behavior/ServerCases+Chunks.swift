extension ServerCase {
  /// Correct and incorrect chunks (RFC 9112, section 7.1).
  static var chunks: [ServerCase] {
    let head = HTTPBytes.chunkedHead
    let chunks = HTTPBytes.chunks()
    func kept(_ name: String, _ body: String, _ outcome: Outcome) -> ServerCase {
      ServerCase("chunks", name, [[.request, .text(head + body)]], outcome)
    }
    func closed(_ name: String, _ body: String, _ outcome: Outcome) -> ServerCase {
      ServerCase("chunks", name, head + body, outcome)
    }
    let size = String(HTTPBytes.response.utf8.count, radix: 16)
    let whole = "\r\n\(HTTPBytes.response)\r\n0\r\n\r\n"
    return [
      kept("two", chunks + "0\r\n\r\n", .responded),
      kept(
        "of a byte each",
        HTTPBytes.response.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n", .responded),
      kept("an extension", HTTPBytes.chunks(extension: ";a=b") + "0\r\n\r\n", .responded),
      kept(
        "a quoted extension", HTTPBytes.chunks(extension: ";a=\"b;c\"") + "0\r\n\r\n", .responded),
      kept(
        "an extension without a value", HTTPBytes.chunks(extension: ";a") + "0;b\r\n\r\n",
        .responded
      ),
      kept(
        "an extension of 10 KB",
        HTTPBytes.chunks(extension: ";" + String(repeating: "a", count: 10_000)) + "0\r\n\r\n",
        .responded),
      kept("a size in capitals", "\(size.uppercased())\(whole)", .responded),
      kept("a size with zeros before it", "000\(size)\(whole)", .responded),
      kept("white space after a size", "\(size) \(whole)", .responded),
      kept("lines that end with LF only", "\(size)\n\(HTTPBytes.response)\n0\n\n", .responded),
      kept("no chunk but the last", "0\r\n\r\n", .response(200, "")),
      kept("a last chunk of many zeros", chunks + "0000\r\n\r\n", .responded),
      closed("no size", "\r\n\(HTTPBytes.response)\r\n0\r\n\r\n", .invalid),
      closed("a size that is not a number", "xyz\r\nabc\r\n0\r\n\r\n", .invalid),
      closed("a negative size", "-5\r\nhello\r\n0\r\n\r\n", .invalid),
      closed("a size with a sign", "+5\r\nhello\r\n0\r\n\r\n", .invalid),
      closed("a size of 17 digits", "10000000000000005\r\nhello\r\n0\r\n\r\n", .invalid),
      closed(
        "a size of 1,000 digits", String(repeating: "1", count: 1_000) + "\r\nhello", .invalid),
      closed("the largest size, with too few bytes", "7fffffffffffffff\r\nhello", .lost),
      closed("a size over the largest", "ffffffffffffffff\r\nhello\r\n0\r\n\r\n", .invalid),
      closed("more bytes than the size", "2\r\nhello\r\n0\r\n\r\n", .invalid),
      closed("fewer bytes than the size", "ff\r\nhello\r\n0\r\n\r\n", .lost),
      closed("no line's end after the bytes", "5\r\nhello0\r\n\r\n", .invalid),
      closed("no chunks at all", HTTPBytes.response, .invalid),
      closed("NUL for a size", "\0\r\nhello", .invalid),
      closed("the last chunk is missing", chunks, .lost),
      closed("a size in the form of C", "0x5\r\nhello\r\n0\r\n\r\n", .invalid),
    ]
  }

  /// Fields after the last chunk (RFC 9112, section 7.1.2).
  static var trailers: [ServerCase] {
    func trailer(_ name: String, _ fields: String, _ outcome: Outcome = .responded) -> ServerCase {
      ServerCase(
        "trailers", name,
        [[.request, .text(HTTPBytes.chunkedHead + HTTPBytes.chunks() + "0\r\n\(fields)\r\n")]],
        outcome)
    }
    func closed(_ name: String, _ rest: String, _ outcome: Outcome) -> ServerCase {
      ServerCase("trailers", name, HTTPBytes.chunkedHead + HTTPBytes.chunks() + rest, outcome)
    }
    let field = "Server-Timing: db;dur=1\r\n"
    return [
      trailer("one", field),
      trailer("a hundred", (0..<100).map { "X-\($0): \($0)\r\n" }.joined()),
      trailer("without a value", "X-A:\r\n"),
      trailer("a length", "Content-Length: 3\r\n"),
      trailer("a coding", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"),
      trailer("a redirect", "Location: http://127.0.0.1:1/\r\n"),
      trailer("a status line", "HTTP/1.1 500 Oops: a\r\n"),
      trailer("of 3 KB", "X-A: \(String(repeating: "a", count: 3_000))\r\n"),
      trailer("of 100 KB", "X-A: \(String(repeating: "a", count: 100_000))\r\n", .tooLarge),
      trailer("lines that end with LF only", "X-A: a\n"),
      trailer("without a colon", "nonsense\r\n", .invalid),
      trailer("with an empty name", ": a\r\n", .either(.responded, .invalid)),
      trailer("folded", "X-A: a\r\n b\r\n"),
      closed("cut off after the last chunk's line", "0\r\n", .lost),
      closed("cut off inside a name", "0\r\nServer", .lost),
      closed("cut off inside a value", "0\r\nServer-Timing: d", .lost),
      closed("cut off after a field", "0\r\n\(field)", .lost),
      closed(
        "cut off inside the last line's end", "0\r\n\(field)\r", .either(.responded, .lost)),
      closed("closed after the last line", "0\r\n\(field)\r\n", .responded),
    ]
  }

  /// Interim responses (RFC 9110, section 15.2).
  static var interim: [ServerCase] {
    func interim(_ name: String, _ before: String, _ outcome: Outcome = .responded) -> ServerCase {
      ServerCase(
        "interim responses", name, [[.request, .text(before + HTTPBytes.text())]], outcome)
    }
    func only(_ name: String, _ text: String, _ outcome: Outcome = .lost) -> ServerCase {
      ServerCase("interim responses", name, text, outcome)
    }
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
    return [
      interim("100", "HTTP/1.1 100 Continue\r\n\r\n"),
      interim("100 twice", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"),
      interim("102", "HTTP/1.1 102 Processing\r\n\r\n"),
      interim("103", hints),
      interim("103 without a reason", "HTTP/1.1 103\r\n\r\n"),
      interim("199", "HTTP/1.1 199 Odd\r\n\r\n"),
      interim("a thousand", String(repeating: hints, count: 1_000)),
      interim(
        "with 90 KB", "HTTP/1.1 103 H\r\nA: \(String(repeating: "a", count: 90_000))\r\n\r\n"),
      interim("with a coding and a type", "HTTP/1.1 103 H\r\nContent-Type: text/html\r\n\r\n"),
      interim("101, which was not requested", "HTTP/1.1 101 S\r\nUpgrade: foo\r\n\r\n", .invalid),
      only("100 alone", "HTTP/1.1 100 Continue\r\n\r\n"),
      only("103 alone", hints),
      only("103 and garbage", hints + "garbage\r\n\r\n", .invalid),
      ServerCase(
        "interim responses", "each with its own packet",
        [
          [
            .request, .drip(Array("HTTP/1.1 100 C\r\n\r\n".utf8), every: .milliseconds(1)),
            .send(HTTPBytes.response()),
          ]
        ], .responded),
      ServerCase(
        "interim responses", "before the request",
        [[.text("HTTP/1.1 100 C\r\n\r\n"), .request, .send(HTTPBytes.response())]], .responded),
    ]
  }
}
