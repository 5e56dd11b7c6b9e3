import Foundation

/// One behaviour of a server, and the expected outcome for a client.
package struct ServerCase: Sendable {
  /// The outcome of an exchange for a transport.
  package indirect enum Outcome: Sendable {
    /// A complete response.
    case response(Int, String = HTTPBytes.response)
    /// An error with that code.
    ///
    /// - Parameter sent: whether the request may have been carried out; nil if it depends on which
    ///   side is faster.
    case error(String, sent: Bool?)
    /// For cases in which the outcome depends on which side is faster.
    case either(Outcome, Outcome)
  }

  /// The request of a case that needs another one than the standard request.
  package struct Limits: Sendable {
    /// Long enough for everything that ends by itself.
    package var total = Duration.seconds(60)
    package var connect: Duration?
    package var idle: Duration?
    /// The number of bytes of the request's body.
    package var bodyCount = 4
    /// The maximum number of bytes of a response, decoded.
    package var responseBytes = 1 << 20
  }

  package let group: String
  package let name: String
  /// The steps of the server on its first connections. On each later connection it responds as
  /// usual.
  package let connections: [[ServerStep]]
  package let query: Outcome
  package let mutation: Outcome
  package var scheme = "http"
  package var limits = Limits()
  /// Whether another request is sent first, which opens a connection that is kept.
  package var warmsUp = false
  /// Whether another request gets a response afterwards.
  package var isFollowed = true
  /// The number of requests that the server receives completely or in part, if it matters.
  package var requestCounts: (query: Int, mutation: Int)?

  package init(
    _ group: String, _ name: String, _ connections: [[ServerStep]], _ outcome: Outcome,
    mutation: Outcome? = nil
  ) {
    self.group = group
    self.name = name
    self.connections = connections
    query = outcome
    self.mutation = mutation ?? outcome
  }

  /// The server receives the whole request and writes `bytes`; after that it closes the connection.
  package init(_ group: String, _ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
    self.init(group, name, [[.request, .send(bytes), .close]], outcome)
  }

  package init(_ group: String, _ name: String, _ text: String, _ outcome: Outcome) {
    self.init(group, name, Array(text.utf8), outcome)
  }

  /// The case with other limits.
  package func limited(_ change: (inout Limits) -> Void) -> ServerCase {
    var other = self
    change(&other.limits)
    return other
  }
}

/// A step of a server on one connection.
package enum ServerStep: Sendable {
  /// Receives a complete request, and carries it out.
  case request
  /// Receives that many bytes.
  case receive(Int)
  /// Checks that the received bytes are the beginning of a request.
  case begin
  /// Receives the head of a request.
  case head
  case send([UInt8])
  /// Sends one byte at a time, with that time between two bytes.
  case drip([UInt8], every: Duration)
  /// Closes both directions regularly.
  case close
  /// Ends with a reset.
  case reset
  /// Ends only the server's own direction.
  case finish
  /// Waits until the client closes.
  case hold
  /// Waits until the client has the response to its first request.
  case pause
  /// Lets the client send its next request.
  case proceed
}

extension ServerStep {
  package static func text(_ text: String) -> ServerStep { .send(Array(text.utf8)) }
}

extension ServerCase.Outcome {
  /// The response to the standard request.
  package static let responded = ServerCase.Outcome.response(200)
  package static let lost = ServerCase.Outcome.error("connectionLost", sent: true)
  package static let invalid = ServerCase.Outcome.error("invalidResponse", sent: true)
  package static let tooLarge = ServerCase.Outcome.error("tooLarge", sent: true)
  package static let late = ServerCase.Outcome.error("timedOut", sent: true)
  package static let refusedTLS = ServerCase.Outcome.error("tls", sent: false)
}
