extension ServerCase {
  /// The length of a body (RFC 9112, section 6.3).
  static var lengths: [ServerCase] {
    let count = HTTPBytes.response.utf8.count
    func raw(_ name: String, _ lines: [String], _ outcome: Outcome) -> ServerCase {
      ServerCase("lengths", name, HTTPBytes.raw(lines), outcome)
    }
    func length(_ name: String, _ value: String, _ outcome: Outcome) -> ServerCase {
      raw(name, ["Content-Length: \(value)"], outcome)
    }
    let chunkedBody = HTTPBytes.chunks() + "0\r\n\r\n"
    return [
      length("exact", "\(count)", .responded),
      length("with zeros before it", "000\(count)", .responded),
      length("with white space around it", "   \(count)  ", .responded),
      length("too short", "20", .response(200, String(HTTPBytes.response.prefix(20)))),
      length("none, and a body", "0", .response(200, "")),
      length("a byte too long", "\(count + 1)", .lost),
      length("far too long", "1000000", .lost),
      length("the largest", "9223372036854775807", .lost),
      length("over the largest", "9223372036854775808", .invalid),
      length("of 100 digits", String(repeating: "9", count: 100), .invalid),
      length("negative", "-1", .invalid),
      length("with a sign", "+\(count)", .invalid),
      length("not a number", "abc", .invalid),
      length("a number and more", "\(count)abc", .invalid),
      length("hexadecimal", "0x\(String(count, radix: 16))", .invalid),
      length("a fraction", "\(count).0", .invalid),
      length("empty", "", .invalid),
      length("two numbers in one line", "\(count) \(count)", .invalid),
      length("the same twice in one line", "\(count), \(count)", .responded),
      length("two in one line", "\(count), 3", .invalid),
      raw("the same twice", ["Content-Length: \(count)", "Content-Length: \(count)"], .responded),
      raw("two, the first right", ["Content-Length: \(count)", "Content-Length: 3"], .invalid),
      raw("two, the second right", ["Content-Length: 3", "Content-Length: \(count)"], .invalid),
      raw("two, the longer wrong", ["Content-Length: \(count)", "Content-Length: 999"], .invalid),
      ServerCase(
        "lengths", "chunks, and a length",
        HTTPBytes.raw(["Content-Length: 3", "Transfer-Encoding: chunked"], body: chunkedBody),
        .responded),
      ServerCase(
        "lengths", "a length, and chunks",
        HTTPBytes.raw(["Transfer-Encoding: chunked", "Content-Length: 3"], body: chunkedBody),
        .responded),
      ServerCase(
        "lengths", "chunks are named, but there are none",
        HTTPBytes.raw(["Transfer-Encoding: chunked", "Content-Length: \(count)"]), .invalid),
      ServerCase(
        "lengths", "chunks in capitals",
        HTTPBytes.raw(["TRANSFER-ENCODING: CHUNKED"], body: chunkedBody), .responded),
      ServerCase(
        "lengths", "a transfer coding that is unknown",
        HTTPBytes.raw(["Transfer-Encoding: foo"]), .invalid),
      ServerCase(
        "lengths", "HTTP/1.0 with a length",
        HTTPBytes.raw(["Content-Length: \(count)"], status: "HTTP/1.0 200 OK"), .responded),
      ServerCase(
        "lengths", "HTTP/1.0 with a length too long",
        HTTPBytes.raw(["Content-Length: \(count + 9)"], status: "HTTP/1.0 200 OK"), .lost),
    ]
  }

  /// Content codings (RFC 9110, section 8.4).
  static var codings: [ServerCase] {
    let response = Array(HTTPBytes.response.utf8)
    let gzip = HTTPBytes.gzip(response)
    func coded(
      _ name: String, _ coding: String, _ content: [UInt8], _ outcome: Outcome = .responded
    ) -> ServerCase {
      ServerCase(
        "codings", name, [[.request, .send(HTTPBytes.coded(coding, content))]], outcome)
    }
    var broken = gzip
    broken[12] ^= 0xFF
    var miscounted = gzip
    miscounted[gzip.count - 6] ^= 0xFF
    return [
      coded("identity", "identity", response),
      coded("gzip", "gzip", gzip),
      coded("gzip in capitals", "GZIP", gzip),
      coded("x-gzip", "x-gzip", gzip),
      coded("deflate", "deflate", HTTPBytes.deflate(response)),
      coded("br", "br", HTTPBytes.brotli(response)),
      coded("zstd", "zstd", HTTPBytes.zstandard(response)),
      coded("gzip twice", "gzip, gzip", HTTPBytes.gzip(gzip)),
      coded("deflate and gzip", "deflate, gzip", HTTPBytes.gzip(HTTPBytes.deflate(response))),
      coded("gzip of nothing", "gzip", HTTPBytes.gzip([]), .response(200, "")),
      coded("gzip is named, but it is not", "gzip", response, .invalid),
      coded("br is named, but it is not", "br", response, .invalid),
      coded("zstd is named, but it is not", "zstd", response, .invalid),
      coded("deflate is named, but it is not", "deflate", response, .invalid),
      coded("gzip with a broken block", "gzip", broken, .invalid),
      coded("gzip with a wrong checksum", "gzip", miscounted, .invalid),
      coded("gzip and more bytes", "gzip", gzip + response, .either(.responded, .invalid)),
      coded("unknown", "x-unknown", response, .invalid),
      coded("unknown after gzip", "gzip, x-unknown", gzip, .invalid),
      coded(
        "ten times", Array(repeating: "gzip", count: 10).joined(separator: ", "), gzip, .invalid),
      // The reader of the content has to notice missing bytes: libcurl does not.
      coded("gzip that is cut off in its head", "gzip", Array(gzip.prefix(5)), .response(200, "")),
      coded(
        "gzip that is cut off in its content", "gzip", Array(gzip.prefix(40)),
        .response(200, String(HTTPBytes.response.prefix(25)))),
      coded("gzip that is cut off in its checksum", "gzip", Array(gzip.dropLast(3)), .responded),
      coded("a bomb", "gzip", HTTPBytes.bomb(8 << 20), .tooLarge),
      coded(
        "a body over the limit", "identity", [UInt8](repeating: 0x20, count: 2 << 20), .tooLarge),
      ServerCase(
        "codings", "a body over the limit in chunks",
        HTTPBytes.chunkedHead + "200000\r\n" + String(repeating: " ", count: 2 << 20)
          + "\r\n0\r\n\r\n", .tooLarge),
      ServerCase(
        "codings", "a body over the limit without a length",
        HTTPBytes.raw(body: String(repeating: " ", count: 2 << 20)), .tooLarge),
    ]
  }
}
