import Foundation

/// One behaviour of a server on the wire, and what a client is to make of it.
package struct WireCase: Sendable {
  /// What an exchange comes to, in a transport's terms.
  package indirect enum Outcome: Sendable {
    /// A complete response.
    case response(Int, String = WireBytes.answer)
    /// An error with that code.
    ///
    /// - Parameter sent: whether the request may have been carried out; nil where it depends on which
    ///   side was faster.
    case error(String, sent: Bool?)
    /// Where it depends on which side was faster.
    case either(Outcome, Outcome)
  }

  /// What a transport's request is like where a case needs another than the standard one.
  package struct Limits: Sendable {
    /// Long enough for everything that ends by itself.
    package var total = Duration.seconds(60)
    package var connect: Duration?
    package var idle: Duration?
    /// The bytes of the request's body.
    package var bodyCount = 4
    /// The most bytes of a response, decoded.
    package var answerBytes = 1 << 20
  }

  package let group: String
  package let name: String
  /// What the server does on its first connections; on each one after them it answers in order.
  package let connections: [[WireStep]]
  package let query: Outcome
  package let mutation: Outcome
  package var scheme = "http"
  package var limits = Limits()
  /// Whether a request comes first, which opens a connection that is kept.
  package var warmsUp = false
  /// Whether another request is answered after it.
  package var isFollowed = true
  /// How many requests the server receives as a whole or in part, where that matters.
  package var requestCounts: (query: Int, mutation: Int)?

  package init(
    _ group: String, _ name: String, _ connections: [[WireStep]], _ outcome: Outcome,
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
  package func limited(_ change: (inout Limits) -> Void) -> WireCase {
    var other = self
    change(&other.limits)
    return other
  }
}

/// A step of a server on one connection.
package enum WireStep: Sendable {
  /// Receives a request as a whole, and carries it out.
  case request
  /// Receives so many bytes.
  case receive(Int)
  /// What has been received is the beginning of a request.
  case begin
  /// Receives the head of a request.
  case head
  case send([UInt8])
  /// Sends a byte at a time, with that time between two.
  case drip([UInt8], every: Duration)
  /// Closes in order, for both directions.
  case close
  /// Ends with a reset.
  case reset
  /// Ends the own direction only.
  case finish
  /// Waits until the client closes.
  case hold
  /// Waits until the client has the response to its first request.
  case pause
  /// Lets the client send its next request.
  case proceed
}

extension WireStep {
  package static func text(_ text: String) -> WireStep { .send(Array(text.utf8)) }
}

extension WireCase.Outcome {
  /// The answer to the standard request.
  package static let answered = WireCase.Outcome.response(200)
  package static let lost = WireCase.Outcome.error("connectionLost", sent: true)
  package static let invalid = WireCase.Outcome.error("invalidResponse", sent: true)
  package static let tooLarge = WireCase.Outcome.error("tooLarge", sent: true)
  package static let late = WireCase.Outcome.error("timedOut", sent: true)
  package static let refusedTLS = WireCase.Outcome.error("tls", sent: false)
}
