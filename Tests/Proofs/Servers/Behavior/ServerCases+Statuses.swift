extension ServerCase {
  /// Statuses that have a meaning for the transport.
  static var statuses: [ServerCase] {
    func status(
      _ name: String, _ line: String, _ headers: [String] = [], _ outcome: Outcome
    ) -> ServerCase {
      ServerCase(
        "statuses", name, [[.request, .text(HTTPBytes.text("HTTP/1.1 \(line)", headers))]], outcome)
    }
    return [
      status("204 with a body", "204 No Content", [], .response(204, "")),
      status("304 with a body", "304 Not Modified", [], .response(304, "")),
      ServerCase(
        "statuses", "204 with chunks",
        [[.request, .text(HTTPBytes.chunked.replacing("200 OK", with: "204 No"))]],
        .response(204, "")),
      ServerCase("statuses", "204 alone", "HTTP/1.1 204 No\r\n\r\n", .response(204, "")),
      ServerCase(
        "statuses", "205 without a body", "HTTP/1.1 205 R\r\nContent-Length: 0\r\n\r\n",
        .response(205, "")),
      status("400", "400 Bad Request", [], .response(400)),
      status("401 with Basic", "401 No", ["WWW-Authenticate: Basic realm=\"a\""], .response(401)),
      status("401 with Bearer", "401 No", ["WWW-Authenticate: Bearer"], .response(401)),
      status(
        "401 with Digest", "401 No",
        ["WWW-Authenticate: Digest realm=\"a\", nonce=\"b\", algorithm=MD5"], .response(401)),
      status("401 with Negotiate", "401 No", ["WWW-Authenticate: Negotiate"], .response(401)),
      status("401 with NTLM", "401 No", ["WWW-Authenticate: NTLM abc"], .response(401)),
      status("401 with an odd challenge", "401 No", ["WWW-Authenticate: ,,=\""], .response(401)),
      status(
        "401 with 20 challenges", "401 No", (0..<20).map { "WWW-Authenticate: X\($0) a=b" },
        .response(401)),
      status("401 without a challenge", "401 No", [], .response(401)),
      status("407 without a proxy", "407 P", ["Proxy-Authenticate: Basic"], .response(407)),
      status("408", "408 Timeout", ["Connection: close"], .response(408)),
      status("413", "413 Too Large", [], .response(413)),
      status("417", "417 Expectation Failed", [], .response(417)),
      status("421", "421 Misdirected", [], .response(421)),
      status("426", "426 Upgrade", ["Upgrade: TLS/1.3"], .response(426)),
      status("429", "429 Slow", ["Retry-After: 0"], .response(429)),
      status("500", "500 Oops", [], .response(500)),
      status("503", "503 Busy", [], .response(503)),
    ]
  }

  /// Redirects (RFC 9110, section 15.4).
  static var redirects: [ServerCase] {
    func redirect(
      _ name: String, _ line: String, _ locations: [String], _ outcome: Outcome
    ) -> ServerCase {
      let fields = locations.map { "Location: \($0)" }
      return ServerCase(
        "redirects", name, [[.request, .text(HTTPBytes.text("HTTP/1.1 \(line)", fields))]], outcome)
    }
    func unfollowed(_ serverCase: ServerCase) -> ServerCase {
      var serverCase = serverCase
      serverCase.isFollowed = false
      return serverCase
    }
    let refused = Outcome.error("redirectRefused", sent: true)
    return [
      redirect("301", "301 Moved", ["/next"], .response(301)),
      redirect("302", "302 Found", ["/next"], .response(302)),
      redirect("303", "303 See", ["/next"], .response(303)),
      redirect("307", "307 Moved", ["/next"], .responded),
      redirect("308", "308 Moved", ["/next"], .responded),
      redirect("307 with a query only", "307 Moved", ["?a=b"], .responded),
      redirect("307 without an address", "307 Moved", [], .response(307)),
      redirect("307 with an empty address", "307 Moved", [""], .either(refused, .responded)),
      redirect("307 to nowhere", "307 Moved", ["http://"], refused),
      redirect("307 to a file", "307 Moved", ["file:///etc/passwd"], refused),
      redirect("307 to a script", "307 Moved", ["javascript:alert(1)"], refused),
      redirect("307 to another protocol", "307 Moved", ["ftp://127.0.0.1/a"], refused),
      // An operation stays at its origin.
      redirect("307 to another port", "307 Moved", ["http://127.0.0.1:1/"], refused),
      redirect("307 to a secure address", "307 Moved", ["https://127.0.0.1:1/"], refused),
      unfollowed(
        ServerCase(
          "redirects", "307 in a circle",
          [[ServerStep]](
            repeating: (0..<10).flatMap { _ -> [ServerStep] in
              [.request, .text(HTTPBytes.text("HTTP/1.1 307 Moved", ["Location: /graphql"]))]
            }, count: 10), refused)),
      ServerCase(
        "redirects", "307 with a body that is cut off",
        HTTPBytes.raw(["Location: /next", "Content-Length: 999"], status: "HTTP/1.1 307 Moved"),
        .either(.responded, .lost)),
    ]
  }

  /// Responses that arrive together, one of which belongs to no request.
  static var pairs: [ServerCase] {
    let response = HTTPBytes.response()
    let other = HTTPBytes.response("HTTP/1.1 500 Unexpected")
    func warm(_ name: String, _ steps: [ServerStep], _ outcome: Outcome) -> ServerCase {
      var serverCase = ServerCase("unexpected responses", name, [steps], outcome)
      serverCase.warmsUp = true
      return serverCase
    }
    return [
      ServerCase(
        "unexpected responses", "in one packet", [[.request, .send(response + other)]], .responded),
      ServerCase(
        "unexpected responses", "half of one, in one packet",
        [[.request, .send(response + other.prefix(30))]], .responded),
      ServerCase(
        "unexpected responses", "garbage, in one packet",
        [[.request, .send(response + Array("garbage".utf8))]], .responded),
      ServerCase(
        "unexpected responses", "after chunks, in one packet",
        [[.request, .send(Array(HTTPBytes.chunked.utf8) + other)]], .responded),
      ServerCase(
        "unexpected responses", "after 204, in one packet",
        [[.request, .send(Array("HTTP/1.1 204 N\r\n\r\n".utf8) + other)]], .response(204, "")),
      warm(
        "before the next request", [.request, .send(response), .pause, .send(other), .proceed],
        .responded),
      warm(
        "a byte before the next request",
        [.request, .send(response), .pause, .send([0x48]), .proceed],
        .responded),
      warm(
        "before the next request, and closed",
        [.request, .send(response), .pause, .send(other), .finish, .proceed, .hold], .responded),
    ]
  }
}
