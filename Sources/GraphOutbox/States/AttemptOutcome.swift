/// The outcome of an attempt to send an operation.
enum AttemptOutcome: Sendable, Equatable {
  /// The server has carried it out.
  case success
  /// The server will not carry it out, now or later.
  case rejected(Graph.RejectionReason)
  /// The server has a newer version of the object and has not carried it out.
  case conflict(Graph.RejectionReason)
  /// The server has refused the operation itself, for now: it was not carried out and may be
  /// retried.
  ///
  /// - Parameter delay: the delay that the server requests.
  case refused(Graph.RejectionReason, delay: Duration?)
  /// The server accepts no operation now. It was not carried out and may be retried.
  ///
  /// - Parameter delay: the delay that the server requests.
  case busy(Graph.RejectionReason, delay: Duration?)
  /// The server has not received it.
  case unreachable(Graph.RejectionReason)
  /// It is unknown whether it was carried out.
  ///
  /// - Parameter delay: the delay that the server requests.
  case ambiguous(Graph.RejectionReason, delay: Duration? = nil)
  /// The credentials were refused. Nothing was carried out.
  ///
  /// - Parameter isRenewed: whether there seems to be a token that was not refused.
  case unauthenticated(isRenewed: Bool = false)
}
