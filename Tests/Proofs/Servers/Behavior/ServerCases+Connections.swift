extension ServerCase {
  /// Responses before the request is complete.
  static var early: [ServerCase] {
    let large = 8 << 20
    func early(
      _ name: String, _ steps: [ServerStep], _ outcome: Outcome, bodyCount: Int = 4
    ) -> ServerCase {
      ServerCase("early responses", name, [steps], outcome).limited { $0.bodyCount = bodyCount }
    }
    let tooLarge = HTTPBytes.response("HTTP/1.1 413 Too Large", ["Connection: close"])
    let lostOrRefused = Outcome.either(.response(413), .error("connectionLost", sent: true))
    return [
      early("before a byte", [.send(HTTPBytes.response()), .request], .responded),
      early("after the head", [.head, .send(HTTPBytes.response()), .receive(4)], .responded),
      early(
        "before a byte, closed", [.send(HTTPBytes.response()), .close],
        .either(.responded, .error("connectionLost", sent: nil))),
      early(
        "413 before the body is read, kept open", [.head, .send(tooLarge), .hold],
        .response(413), bodyCount: large),
      early(
        "413 before the body is read, closed", [.head, .send(tooLarge), .close],
        lostOrRefused, bodyCount: large),
      early(
        "413 before the body is read, reset", [.head, .send(tooLarge), .reset],
        lostOrRefused, bodyCount: large),
      early(
        "200 before the body is read", [.head, .send(HTTPBytes.response()), .receive(large)],
        .responded, bodyCount: large),
      early(
        "closed inside the body", [.head, .receive(1 << 20), .close],
        .error("connectionLost", sent: true), bodyCount: large),
      early(
        "reset inside the body", [.head, .receive(1 << 20), .reset],
        .error("connectionLost", sent: true), bodyCount: large),
      early(
        "a large body that is received", [.request, .send(HTTPBytes.response())], .responded,
        bodyCount: large),
      early(
        "garbage inside the body", [.head, .text("garbage\r\n\r\n"), .hold], .invalid,
        bodyCount: large),
    ]
  }

  /// Connections that are reset.
  static var resets: [ServerCase] {
    func reset(_ name: String, _ steps: [ServerStep], _ outcome: Outcome = .lost) -> ServerCase {
      ServerCase("resets", name, [steps + [.reset]], outcome)
    }
    let response = HTTPBytes.response()
    let unsure = Outcome.either(
      .error("connectionLost", sent: nil), .error("cannotConnect", sent: false))
    return [
      reset("before a byte of the request", [], unsure),
      reset("after a byte of the request", [.receive(1)]),
      reset("inside the request's head", [.receive(20)]),
      reset("after the request's head", [.head]),
      reset("inside the request's body", [.head, .receive(2)]),
      reset("after the request", [.request]),
      reset("after a byte of the response", [.request, .send(Array(response[..<1]))]),
      reset("inside the status line", [.request, .send(Array(response[..<10]))]),
      reset("after the status line", [.request, .send(Array(response[..<17]))]),
      reset("inside the response's head", [.request, .send(Array(response[..<40]))]),
      reset("after the response's head", [.request, .send(Array(response[..<70]))]),
      reset("inside the response's body", [.request, .send(Array(response[..<100]))]),
      reset("after the response", [.request, .send(response)], .either(.responded, .lost)),
      reset("inside a chunk", [.request, .text(HTTPBytes.chunkedHead + "ff\r\nabc")]),
      reset(
        "before the last chunk", [.request, .text(HTTPBytes.chunkedHead + HTTPBytes.chunks())]),
      reset("inside a body without a length", [.request, .text(HTTPBytes.raw(body: "{"))]),
      reset("after an interim response", [.request, .text("HTTP/1.1 100 C\r\n\r\n")]),
    ]
  }

  /// Connections that were kept open and are closed around the next request. The next connection
  /// works.
  static var kept: [ServerCase] {
    let first: [ServerStep] = [.request, .send(HTTPBytes.response())]
    let ready: [ServerStep] = [.pause, .proceed]
    func kept(
      _ name: String, _ steps: [ServerStep], _ query: Outcome = .responded, mutation: Outcome,
      requests: (query: Int, mutation: Int)? = nil, second: [[ServerStep]] = []
    ) -> ServerCase {
      var serverCase = ServerCase(
        "kept connections", name, [first + steps] + second, query,
        mutation: mutation)
      serverCase.warmsUp = true
      serverCase.requestCounts = requests
      serverCase.isFollowed = second.isEmpty
      return serverCase
    }
    /// A query is retried, a mutation is not.
    func broken(_ name: String, _ steps: [ServerStep]) -> ServerCase {
      kept(name, ready + steps, mutation: .lost, requests: (query: 3, mutation: 2))
    }
    /// The response has begun, so nothing is retried.
    func begun(_ name: String, _ steps: [ServerStep], _ outcome: Outcome = .lost) -> ServerCase {
      kept(
        name, ready + [.request] + steps, outcome, mutation: outcome,
        requests: (query: 2, mutation: 2))
    }
    let part = Array(HTTPBytes.response().prefix(5))
    let line = Array(HTTPBytes.response().prefix(17))
    return [
      kept("used again", ready, mutation: .responded, requests: (query: 2, mutation: 2)),
      kept(
        "closed before", [.pause, .close, .proceed], mutation: .responded,
        requests: (query: 2, mutation: 2)),
      kept(
        "its direction ended before", [.pause, .finish, .proceed, .hold], mutation: .responded,
        requests: (query: 2, mutation: 2)),
      kept(
        "reset before", [.pause, .reset, .proceed], mutation: .responded,
        requests: (query: 2, mutation: 2)),
      kept("closed at the same time", ready + [.close], mutation: .either(.responded, .lost)),
      kept("reset at the same time", ready + [.reset], mutation: .either(.responded, .lost)),
      broken("closed after a byte", [.receive(1), .begin, .close]),
      broken("its direction ended after a byte", [.receive(1), .begin, .finish, .hold]),
      broken("reset after a byte", [.receive(1), .begin, .reset]),
      broken("closed after the head", [.head, .finish, .hold]),
      broken("reset after the head", [.head, .reset]),
      broken("closed after the request", [.request, .close]),
      broken("reset after the request", [.request, .reset]),
      kept(
        "closed after the request, twice", ready + [.request, .close], .lost, mutation: .lost,
        requests: (query: 3, mutation: 2), second: [[.request, .close], [.request, .close]]),
      broken("closed inside a large body", [.head, .receive(1 << 20), .close])
        .limited { $0.bodyCount = 8 << 20 },
      broken("reset inside a large body", [.head, .receive(1 << 20), .reset])
        .limited { $0.bodyCount = 8 << 20 },
      // libcurl counts the lines of a head, not the bytes.
      kept(
        "closed inside the status line", ready + [.request, .send(part), .close],
        .either(.responded, .lost), mutation: .lost),
      kept(
        "reset inside the status line", ready + [.request, .send(part), .reset],
        .either(.responded, .lost), mutation: .lost),
      begun("closed after the status line", [.send(line), .close]),
      begun("reset after the status line", [.send(line), .reset]),
      begun("closed after an interim response", [.text("HTTP/1.1 100 C\r\n\r\n"), .close]),
      begun("garbage for a response", [.text("garbage\r\n\r\n"), .hold], .invalid),
      begun("no bytes", [.hold], .late).limited { $0.total = .seconds(1) },
    ]
  }

  /// Slow servers, for each of the limits.
  static var slow: [ServerCase] {
    func slow(
      _ name: String, _ steps: [ServerStep], _ outcome: Outcome, _ change: (inout Limits) -> Void
    ) -> ServerCase {
      ServerCase("slow servers", name, [steps], outcome).limited(change)
    }
    let response = HTTPBytes.response()
    let drips = ServerStep.drip([UInt8](repeating: 0x61, count: 10_000), every: .milliseconds(10))
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n"
    let total = { (limits: inout Limits) in limits.total = .seconds(1) }
    let idle = { (limits: inout Limits) in limits.idle = .milliseconds(300) }
    return [
      slow("no response, total", [.request, .hold], .late, total),
      slow("no response, idle", [.request, .hold], .late, idle),
      slow("half a head, total", [.request, .text(head), .hold], .late, total),
      slow("half a head, idle", [.request, .text(head), .hold], .late, idle),
      slow("half a body, total", [.request, .text(head + "\r\nabc"), .hold], .late, total),
      slow("half a body, idle", [.request, .text(head + "\r\nabc"), .hold], .late, idle),
      slow("a dripping head, total", [.request, .text(head + "X-A: "), drips], .late, total),
      slow("a dripping body, total", [.request, .text(head + "\r\n"), drips], .late, total),
      slow(
        "a dripping status line, total", [.request, .text("HTTP/1.1 200 "), drips], .late, total),
      slow(
        "dripping interim responses, total",
        [.request]
          + (0..<1_000).map { _ in
            .drip(Array("HTTP/1.1 100 C\r\n\r\n".utf8), every: .milliseconds(2))
          }, .late, total),
      slow(
        "a dripping head, idle", [.request, .drip(response, every: .milliseconds(2))], .responded
      ) {
        $0.idle = .seconds(5)
      },
      slow("a body that is not read, total", [.head, .hold], .late) {
        $0.total = .seconds(1)
        $0.bodyCount = 32 << 20
      },
      slow("a body that is not read, idle", [.head, .hold], .late) {
        $0.idle = .milliseconds(500)
        $0.bodyCount = 32 << 20
      },
      slow(
        "a time to connect that is short", [.request, .drip(response, every: .milliseconds(5))],
        .responded
      ) { $0.connect = .milliseconds(500) },
    ]
  }

  /// Secure clients and servers without TLS.
  static var secure: [ServerCase] {
    func secure(_ name: String, _ steps: [ServerStep], _ outcome: Outcome = .refusedTLS)
      -> ServerCase
    {
      // The bytes on the next connections are not a handshake either.
      var serverCase = ServerCase(
        "TLS where there is none", name, [[ServerStep]](repeating: steps, count: 50), outcome)
      serverCase.scheme = "https"
      serverCase.isFollowed = false
      return serverCase
    }
    let late = Outcome.error("timedOut", sent: false)
    return [
      secure("a plain response", [.receive(1), .send(HTTPBytes.response()), .close]),
      secure(
        "a plain refusal",
        [.receive(1), .send(HTTPBytes.response("HTTP/1.1 400 Bad Request")), .close]),
      secure("a plain response at once", [.send(HTTPBytes.response()), .hold]),
      secure("garbage", [.receive(1), .send((0..<200).map { UInt8($0) }), .hold]),
      secure("zeros", [.receive(1), .send([UInt8](repeating: 0, count: 100)), .hold]),
      secure("an alert", [.receive(1), .send([0x15, 3, 3, 0, 2, 2, 40]), .hold]),
      secure("an alert, closed", [.receive(1), .send([0x15, 3, 3, 0, 2, 2, 40]), .close]),
      secure("half a record", [.receive(1), .send([0x16, 3, 3, 0, 100, 2, 0]), .close]),
      secure("closed at once", [.close]),
      secure("closed after a byte", [.receive(1), .close]),
      secure("closed after the hello", [.receive(200), .finish, .hold]),
      secure("reset at once", [.reset], .either(.refusedTLS, .error("cannotConnect", sent: false))),
      secure("reset after a byte", [.receive(1), .reset]),
      secure("no bytes, connecting", [.hold], late).limited { $0.connect = .milliseconds(300) },
      secure("no bytes, total", [.hold], late).limited { $0.total = .milliseconds(300) },
      secure(
        "a dripping record, connecting",
        [
          .drip(
            [0x16, 3, 3, 0x3F, 0xFF] + [UInt8](repeating: 2, count: 10_000),
            every: .milliseconds(5))
        ], late
      ).limited { $0.connect = .milliseconds(300) },
    ]
  }
}
