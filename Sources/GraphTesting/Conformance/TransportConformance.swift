public import GraphClient
import GraphJSON
public import struct Foundation.URL

/// Checks that a transport fulfils the contract of ``/GraphClient/GraphQLRuntime/Graph/Transport``. Independent of
/// any testing framework: results are values.
///
/// ```swift
/// let conformance = TransportConformance { service in
///   let server = try await startServer(service)
///   return TransportConformance.Subject(transport: MyTransport(), url: server.url)
/// }
/// for outcome in await conformance.run() where outcome.failure != nil { print(outcome) }
/// ```
public struct TransportConformance: Sendable {
  /// How the server of a check handles every request.
  public enum Service: Sendable {
    /// Responds according to a script.
    case script(Script)
    /// Responds with 200 and the received request, as a JSON object: `method`, `body` as a string,
    /// and `headers` as an object with lower-case names.
    case echo
  }

  /// A response, step by step.
  public struct Script: Sendable {
    /// How a response ends.
    public enum End: Sendable {
      case complete
      /// The connection is closed although the body is not complete.
      case lost
      /// Nothing more is sent, and the connection stays open.
      case stalled
    }

    /// The status of the head.
    public var status = 200
    /// The header fields of the head; the server adds those that frame the body.
    public var headers: Graph.Headers = [:]
    /// How long the server waits before the head.
    public var delay: Duration = .zero
    /// The body.
    public var body: [UInt8] = []
    /// The end of the response after the body's bytes.
    public var end = End.complete
  }

  /// A transport, and the address of the check's server.
  public struct Subject: Sendable {
    /// The transport to check.
    public let transport: any Graph.Transport
    /// The server's address.
    public let url: URL

    /// A transport and its server.
    public init(transport: any Graph.Transport, url: URL) {
      self.transport = transport
      self.url = url
    }
  }

  /// The result of one check.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// The requirement that was checked.
    public let check: String
    /// Why the check fails; nil if it passes.
    public let failure: String?

    public var description: String { "\(failure == nil ? "ok" : "FAILED") \(check)\(reason)" }

    private var reason: String { failure.map { ": \($0)" } ?? "" }
  }

  private let makeSubject: @Sendable (Service) async throws -> Subject
  private let patience: Duration

  /// - Parameters:
  ///   - patience: the maximum duration of a check.
  ///   - makeSubject: creates a transport and a server that behaves as requested; called for each
  ///     check.
  public init(
    patience: Duration = .seconds(20),
    subject makeSubject: @escaping @Sendable (Service) async throws -> Subject
  ) {
    self.makeSubject = makeSubject
    self.patience = patience
  }

  /// The requirements that are checked.
  public static var checks: [String] { ConformanceCheck.all.map(\.name) }

  /// Runs all checks, one after the other.
  public func run() async -> [Outcome] {
    var outcomes: [Outcome] = []
    for check in ConformanceCheck.all {
      outcomes.append(
        await Outcome.of(check.name, patience: patience) { [makeSubject] in
          try await check.body(makeSubject(check.service))
        })
    }
    return outcomes
  }
}

extension TransportConformance.Outcome {
  /// Runs a check. A check that hangs is abandoned, so that the others can run.
  package static func of(
    _ check: String, patience: Duration, _ body: @escaping @Sendable () async throws -> Void
  ) async -> Self {
    let (outcomes, finish) = AsyncStream.makeStream(of: String?.self)
    let work = Task {
      do {
        try await body()
        finish.yield(nil)
      } catch {
        finish.yield("\(error)")
      }
    }
    let timeout = Task {
      try await Task.sleep(for: patience)
      finish.yield("it took longer than \(patience)")
    }
    var failure: String? = "there was no outcome"
    for await outcome in outcomes {
      failure = outcome
      break
    }
    work.cancel()
    timeout.cancel()
    return Self(check: check, failure: failure)
  }
}

/// One requirement of the contract, and how it is checked.
struct ConformanceCheck: Sendable {
  let name: String
  let service: TransportConformance.Service
  let body: @Sendable (TransportConformance.Subject) async throws -> Void

  static let all = responses + requests + failures

  private init(
    _ name: String, _ service: TransportConformance.Service,
    _ body: @escaping @Sendable (TransportConformance.Subject) async throws -> Void
  ) {
    self.name = name
    self.service = service
    self.body = body
  }

  private init(
    _ name: String, script: TransportConformance.Script,
    _ body: @escaping @Sendable (TransportConformance.Subject) async throws -> Void
  ) {
    self.init(name, .script(script), body)
  }
}

/// Why a check fails.
package struct ConformanceFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension TransportConformance.Subject {
  func send(_ body: String = "{}", timeout: Duration? = nil) async throws -> Graph.HTTPResponse {
    try await transport.send(
      Graph.HTTPRequest(
        url: url, headers: ["Content-Type": "application/json", "X-Check": "a b"],
        body: .bytes(Array(body.utf8)), timeout: timeout))
  }

  /// Sends and reads to the end.
  func exchange(
    _ body: String = "{}", timeout: Duration? = nil
  ) async throws -> (response: Graph.HTTPResponse, bytes: [UInt8]) {
    let response = try await send(body, timeout: timeout)
    var bytes: [UInt8] = []
    for try await piece in response.body { bytes += piece }
    return (response, bytes)
  }
}

private func expect(_ condition: Bool, _ failure: @autoclosure () -> String) throws {
  if !condition { throw ConformanceFailure(failure()) }
}

/// The exchange must fail with one of the codes.
private func expect(
  _ codes: Graph.TransportError.Code..., from exchange: () async throws -> Void
) async throws {
  do {
    try await exchange()
  } catch let error as Graph.TransportError {
    return try expect(codes.contains(error.code), "it failed with \(error)")
  } catch {
    throw ConformanceFailure("it failed with \(error), which is not a TransportError")
  }
  throw ConformanceFailure("it did not fail")
}

extension ConformanceCheck {
  // MARK: Responses

  private static let large = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  private static let responses =
    [200, 201, 400, 401, 404, 429, 500, 503].map { status in
      ConformanceCheck(
        "a response with status \(status) is returned",
        script: .init(status: status, body: Array("{\"status\":\(status)}".utf8))
      ) { subject in
        let (response, bytes) = try await subject.exchange()
        try expect(response.status == status, "the status is \(response.status)")
        try expect(bytes == Array("{\"status\":\(status)}".utf8), "the body is different")
      }
    } + [
      ConformanceCheck(
        "header fields are found by name without regard to case",
        script: .init(headers: ["Retry-After": "7", "x-lower": "v"])
      ) { subject in
        let headers = try await subject.exchange().response.headers
        try expect(headers["retry-after"] == "7", "Retry-After is missing")
        try expect(headers["X-LOWER"] == "v", "x-lower is missing")
      },
      ConformanceCheck("an empty body contains no bytes", script: .init()) { subject in
        let bytes = try await subject.exchange().bytes
        try expect(bytes.isEmpty, "it has \(bytes.count) bytes")
      },
      ConformanceCheck("a body of 1 MiB arrives in order", script: .init(body: large)) { subject in
        let bytes = try await subject.exchange().bytes
        try expect(bytes == large, "\(bytes.count) bytes arrived, or their content is different")
      },
      ConformanceCheck(
        "bytes are delivered before the body ends",
        script: .init(body: Array("first".utf8), end: .stalled)
      ) { subject in
        var pieces = try await subject.send().body.makeAsyncIterator()
        var bytes: [UInt8] = []
        while bytes.count < 5, let piece = try await pieces.next() { bytes += piece }
        try expect(bytes == Array("first".utf8), "\(bytes.count) bytes arrived")
      },
    ]

  // MARK: Requests

  private static let requests = [
    ConformanceCheck("method, header fields and body are sent as given", .echo) { subject in
      let body = "{\"text\":\"\u{E9} \u{1F6D2}\"}"
      let echo = try JSON(parsing: try await subject.exchange(body).bytes)
      try expect(echo["method"] == "POST", "the method is different")
      try expect(echo["body"] == .string(body), "the body is different")
      let headers = echo["headers"]
      try expect(headers?["content-type"] == "application/json", "Content-Type is different")
      try expect(headers?["x-check"] == "a b", "X-Check is different")
    },
    ConformanceCheck("a GET request has no body", .echo) { subject in
      let request = Graph.HTTPRequest(method: .get, url: subject.url)
      var bytes: [UInt8] = []
      for try await piece in try await subject.transport.send(request).body { bytes += piece }
      let echo = try JSON(parsing: bytes)
      try expect(echo["method"] == "GET", "the method is different")
      try expect(echo["body"] == "", "it has a body")
    },
    ConformanceCheck("concurrent requests receive their own responses", .echo) { subject in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            let body = "{\"number\":\(number)}"
            let echo = try JSON(parsing: try await subject.exchange(body).bytes)
            try expect(
              echo["body"] == .string(body),
              "request \(number) received the response to another request")
          }
        }
        try await group.waitForAll()
      }
    },
  ]

  // MARK: Failures

  private static let stalled = TransportConformance.Script(
    body: Array("first".utf8), end: .stalled)

  private static let failures = [
    ConformanceCheck(
      "a truncated body fails with connectionLost",
      script: .init(body: Array("only a part".utf8), end: .lost)
    ) { subject in
      try await expect(.connectionLost) { _ = try await subject.exchange() }
    },
    ConformanceCheck(
      "the timeout ends the wait for a response", script: .init(delay: .seconds(60))
    ) { subject in
      try await expect(.timedOut) {
        _ = try await subject.exchange(timeout: .milliseconds(200))
      }
    },
    ConformanceCheck("the timeout ends the wait for a stalled body", script: stalled) { subject in
      try await expect(.timedOut) {
        _ = try await subject.exchange(timeout: .milliseconds(200))
      }
    },
    ConformanceCheck(
      "cancellation ends the wait for a response", script: .init(delay: .seconds(60))
    ) { subject in
      let task = Task { try await subject.send() }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      try await expect(.cancelled) { _ = try await task.value }
    },
    ConformanceCheck("cancellation ends the wait for a stalled body", script: stalled) { subject in
      let task = Task { try await subject.exchange() }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      try await expect(.cancelled) { _ = try await task.value }
    },
    // Safe: the reference to the task is used in the closure only.
    ConformanceCheck("a task that is already cancelled does not send a request", .echo) { subject in
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await subject.send()
      }
      try await expect(.cancelled) { _ = try await task.value }
    },
    // Nothing listens there, so a transport that follows the redirect fails in another way.
    ConformanceCheck(
      "a redirect does not send the body to another origin",
      script: .init(status: 307, headers: ["Location": "//other.invalid/graphql"])
    ) { subject in
      let response: Graph.HTTPResponse
      do { response = try await subject.send() } catch let error as Graph.TransportError {
        return try expect(error.code == .redirectRefused, "it failed with \(error)")
      }
      // A transport may also return redirects unchanged.
      try expect(response.status == 307, "the status is \(response.status)")
    },
    ConformanceCheck("the transport remains usable after a body is dropped", script: stalled) {
      subject in
      for _ in 0..<8 {
        var pieces = try await subject.send().body.makeAsyncIterator()
        _ = try await pieces.next()
      }
      _ = try await subject.send()
    },
  ]
}
