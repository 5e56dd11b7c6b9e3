public import GraphClient
public import struct Foundation.URL

/// Checks that a transport keeps the contract of ``/GraphClient/Graph/Transport``. Independent of any testing
/// framework: results are values.
///
/// ```swift
/// let conformance = TransportConformance { service in
///   let server = try await startServer(service)
///   return TransportConformance.Subject(transport: MyTransport(), url: server.url)
/// }
/// for outcome in await conformance.run() where outcome.failure != nil { print(outcome) }
/// ```
public struct TransportConformance: Sendable {
  /// What the server of a check does with every request.
  public enum Service: Sendable {
    /// Answers by a script.
    case script(Script)
    /// Answers 200 with what it has received, as a JSON object: `method`, `body` as a string, and
    /// `headers` as an object with lower-case names.
    case echo
  }

  /// An answer step by step.
  public struct Script: Sendable {
    /// How an answer ends.
    public enum End: Sendable {
      case complete
      /// The connection is closed although the body is not complete.
      case lost
      /// Nothing comes any more, and the connection stays open.
      case stalled
    }

    /// The status of the head.
    public var status = 200
    /// The fields of the head; the server adds what frames the body.
    public var headers: Graph.Headers = [:]
    /// How long the server waits before the head.
    public var delay: Duration = .zero
    /// The body.
    public var body: [UInt8] = []
    /// What comes after the body's bytes.
    public var end = End.complete
  }

  /// A transport, and where it finds the server of the check.
  public struct Subject: Sendable {
    /// What is checked.
    public let transport: any Graph.Transport
    /// Where the server answers.
    public let url: URL

    /// A transport and its server.
    public init(transport: any Graph.Transport, url: URL) {
      self.transport = transport
      self.url = url
    }
  }

  /// What came of one check.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// The sentence that was checked.
    public let check: String
    /// Why it does not hold; nil if it does.
    public let failure: String?

    public var description: String { "\(failure == nil ? "ok" : "FAILED") \(check)\(reason)" }

    private var reason: String { failure.map { ": \($0)" } ?? "" }
  }

  private let makeSubject: @Sendable (Service) async throws -> Subject
  private let patience: Duration

  /// - Parameters:
  ///   - patience: how long a check may take.
  ///   - makeSubject: makes a transport and a server that does what is asked; called for each check.
  public init(
    patience: Duration = .seconds(20),
    subject makeSubject: @escaping @Sendable (Service) async throws -> Subject
  ) {
    self.makeSubject = makeSubject
    self.patience = patience
  }

  /// The sentences that are checked.
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
