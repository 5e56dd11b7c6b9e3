public import GraphClient
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
