extension ServerCase {
  /// The first line of a response (RFC 9112, section 4).
  static var statusLines: [ServerCase] {
    func first(_ name: String, _ line: String, _ outcome: Outcome = .invalid) -> ServerCase {
      ServerCase("status lines", name, HTTPBytes.text(line), outcome)
    }
    func only(_ name: String, _ bytes: [UInt8], _ outcome: Outcome = .invalid) -> ServerCase {
      ServerCase("status lines", name, bytes, outcome)
    }
    let endings = HTTPBytes.text().replacing("\r\n", with: "\n")
    return [
      first("no reason", "HTTP/1.1 200", .responded),
      first("an empty reason", "HTTP/1.1 200 ", .responded),
      only(
        "a reason with bytes that are not text",
        Array("HTTP/1.1 200 ".utf8) + [0xFF, 0x80] + HTTPBytes.response().dropFirst(15), .responded),
      first(
        "a reason of 50 KB", "HTTP/1.1 200 \(String(repeating: "a", count: 50_000))", .responded),
      first(
        "a reason of 200 KB", "HTTP/1.1 200 \(String(repeating: "a", count: 200_000))", .tooLarge),
      first("HTTP/1.0", "HTTP/1.0 200 OK", .responded),
      first("status 600", "HTTP/1.1 600 Odd", .response(600)),
      first("status 999", "HTTP/1.1 999 Odd", .response(999)),
      first("status 1000", "HTTP/1.1 1000 Odd"),
      first("status 2000", "HTTP/1.1 2000 OK"),
      first("status 99", "HTTP/1.1 99 Odd"),
      first("status 099", "HTTP/1.1 099 Odd"),
      first("status 000", "HTTP/1.1 000 Odd"),
      first("status 20", "HTTP/1.1 20 OK"),
      first("status -200", "HTTP/1.1 -200 OK"),
      first("status +200", "HTTP/1.1 +200 OK"),
      first("status 2e2", "HTTP/1.1 2e2 OK"),
      first("status 200OK", "HTTP/1.1 200OK"),
      first("status in letters", "HTTP/1.1 abc OK"),
      first("no status", "HTTP/1.1"),
      first("no status, with a space", "HTTP/1.1 "),
      first("a reason only", "HTTP/1.1 OK"),
      first("two spaces", "HTTP/1.1  200 OK"),
      first("a tab", "HTTP/1.1\t200 OK"),
      first("no space", "HTTP/1.1200 OK"),
      first("no version", "HTTP 200 OK"),
      first("an empty version", "HTTP/ 200 OK"),
      first("version 0.9", "HTTP/0.9 200 OK"),
      first("version 1", "HTTP/1 200 OK"),
      first("version 1.10", "HTTP/1.10 200 OK"),
      first("version 4.0", "HTTP/4.0 200 OK"),
      first("version in letters", "HTTP/x.y 200 OK"),
      first("lower case", "http/1.1 200 OK"),
      first("another protocol", "ICY 200 OK"),
      first("RTSP", "RTSP/1.0 200 OK"),
      first("FTP", "220 ready"),
      first("SSH", "SSH-2.0-OpenSSH_9.2"),
      first("a request", "POST /graphql HTTP/1.1"),
      first("white space before it", " HTTP/1.1 200 OK"),
      first("an empty line before it", "\r\nHTTP/1.1 200 OK"),
      first("a byte order mark before it", "\u{FEFF}HTTP/1.1 200 OK"),
      first("NUL in it", "HTTP/1.1 200 O\0K"),
      first("a bare CR in it", "HTTP/1.1 200 O\rK", .either(.responded, .invalid)),
      only("lines that end with LF only", Array(endings.utf8), .responded),
      only("HTTP/0.9, a text", Array(HTTPBytes.response.utf8)),
      only("HTTP/0.9, a page", Array("<html>hello</html>\r\n".utf8)),
      only("one letter", Array("H".utf8), .lost),
      only("one other letter", Array("x".utf8)),
      only("one NUL", [0]),
      only("zeros", [UInt8](repeating: 0, count: 1_000)),
      only("bytes that are not text", (0...255).map { UInt8($0) }),
      only("100 KB of one letter", [UInt8](repeating: 0x61, count: 100_000)),
      only("300 KB of H", [UInt8](repeating: 0x48, count: 300_000)),
      only("empty lines only", Array("\r\n\r\n\r\n".utf8)),
      only("a TLS alert", [0x15, 3, 1, 0, 2, 2, 0x46]),
      only("HTTP/2's first frame", [0, 0, 0, 4, 0, 0, 0, 0, 0]),
    ]
  }

  /// Fields of the head (RFC 9112, section 5).
  static var heads: [ServerCase] {
    func field(_ name: String, _ lines: [String], _ outcome: Outcome = .responded) -> ServerCase {
      ServerCase(
        "heads", name, [[.request, .text(HTTPBytes.text("HTTP/1.1 200 OK", lines))]], outcome)
    }
    let long = String(repeating: "a", count: 100_000)
    return [
      field("a line of 90 KB", ["X-A: \(long.prefix(90_000))"]),
      field("a line of 100 KB", ["X-A: \(long)"], .either(.responded, .tooLarge)),
      field("a line of 200 KB", ["X-A: \(long)\(long)"], .tooLarge),
      field("a name of 100 KB", ["\(long)\(long): a"], .tooLarge),
      field("two lines of 90 KB", ["X-A: \(long.prefix(90_000))", "X-B: \(long.prefix(90_000))"]),
      field(
        "2 MB in lines of 50 KB", (0..<40).map { "X-\($0): \(long.prefix(50_000))" }, .tooLarge),
      field("1,000 fields", (0..<1_000).map { "X-\($0): \($0)" }),
      field("4,000 fields", (0..<4_000).map { "X-\($0): \($0)" }),
      field("100,000 fields", (0..<100_000).map { "X-\($0): \($0)" }, .tooLarge),
      field("a folded line", ["X-A: a", " b"]),
      field("a line folded with a tab", ["X-A: a", "\tb"]),
      field("a line folded a hundred times", ["X-A: a"] + (0..<100).map { " \($0)" }),
      field("a folded length", ["X-A: a", " Content-Length: 3"]),
      field("a value that is empty", ["X-A:"]),
      field("a value of spaces", ["X-A:    "]),
      field("no space after the colon", ["X-A:a"]),
      field("white space before the colon", ["X-A : a"]),
      field("two colons", ["X-A:: a"]),
      ServerCase(
        "heads", "a value that is not text",
        Array("HTTP/1.1 200 OK\r\nX-A: ".utf8) + [0xFF, 0x80] + HTTPBytes.response().dropFirst(15),
        .responded),
      field("a bare CR in a value", ["X-A: a\rb"], .either(.responded, .invalid)),
      field("an empty name", [": a"], .either(.responded, .invalid)),
      field("a colon alone", [":"], .either(.responded, .invalid)),
      field("a line without a colon", ["nonsense"], .invalid),
      field("NUL in a value", ["X-A: a\0b"], .invalid),
      field("NUL in a name", ["X\0A: b"], .invalid),
      // libcurl leaves out the bytes that it has received after the previous line, and waits for
      // more.
      field("NUL at the beginning of a line", ["\0: a"], .either(.late, .invalid))
        .limited { $0.total = .seconds(1) },
      field("a cookie", ["Set-Cookie: a=b"]),
      field("a protocol that is offered", ["Upgrade: h2c", "Connection: Upgrade"]),
      field("another service", ["Alt-Svc: h3=\":1\"; ma=1"]),
      ServerCase(
        "heads", "a fold at the beginning",
        HTTPBytes.text("HTTP/1.1 200 OK\r\n X-A: a"), .either(.responded, .invalid)),
      ServerCase(
        "heads", "one byte at a time",
        [[.request, .drip(HTTPBytes.response(), every: .microseconds(200))]], .responded),
      ServerCase("heads", "no fields", "HTTP/1.1 200 OK\r\n\r\n\(HTTPBytes.response)", .responded),
    ]
  }
}
