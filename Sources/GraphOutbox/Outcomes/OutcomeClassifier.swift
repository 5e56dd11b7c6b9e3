import GraphClient
import GraphJSON
import GraphQLRuntime

/// Determines from the result of an attempt whether the operation was carried out.
///
/// An outcome in doubt is ambiguous. An operation must not be repeated unless it is certain that it was
/// not carried out.
struct OutcomeClassifier: Sendable {
  /// Codes of errors, in any spelling, that give no information about whether the operation was
  /// carried out.
  private static let ambiguousCodes: Set<String> = [
    "internalservererror", "internalerror", "timeout", "serviceunavailable", "badgateway",
  ]

  /// Codes for an object that has changed since it was read.
  private static let conflictCodes: Set<String> = [
    "conflict", "versionconflict", "editconflict", "versionmismatch", "stale", "staleobject",
    "preconditionfailed",
  ]

  /// Codes of a server that does not know the id of a trusted document, because its manifest is older than
  /// the app's. It executes nothing.
  private static let unknownDocumentCodes: Set<String> = [
    "persistedquerynotfound", "persistedquerynotinlist",
  ]

  /// The outcome of an error before there was a request, such as a token that is not available.
  func outcome(beforeSending error: Graph.QueryError) -> AttemptOutcome {
    if error.refusesCredentials { return .unauthenticated() }
    switch error.code {
    case .transport:
      guard let transport = error.transportError else { return .notPrepared }
      let reason = Graph.RejectionReason(transport)
      return transport.code == .invalidRequest ? .rejected(reason) : .unreachable(reason)
    case .invalidOperation, .responseErrors: return refusal(error.errors, delay: nil)
    case .untrustedDocument:
      return .unreachable(
        Graph.RejectionReason(code: "\(error.code)", message: error.message))
    // Nothing was sent.
    default: return .notPrepared
    }
  }

  /// The outcome of an attempt whose credentials were refused.
  ///
  /// - Parameter credentialState: the state of the credentials after the last refresh; nil if unknown.
  func outcomeOfRefusedCredentials(_ credentialState: Graph.CredentialState?) -> AttemptOutcome {
    switch credentialState {
    case nil, .refused: .unauthenticated()
    case .good: .unauthenticated(isRenewed: true)
    case .unavailable:
      .unreachable(
        Graph.RejectionReason(code: "token", message: "a new token is not available yet"))
    }
  }

  /// The outcome of an attempt that sent a request. An error with an unknown code is ambiguous, so
  /// that nothing is sent twice.
  ///
  /// - Parameter delay: the delay that the server requests.
  func outcome(of error: Graph.QueryError, delay: Duration?) -> AttemptOutcome {
    switch error.code {
    case .noCredentials: return .unauthenticated()
    case .transport:
      if let transport = error.transportError { return outcome(of: transport) }
      return .ambiguous(
        Graph.RejectionReason(code: "request", message: "the request failed"), delay: delay)
    case .status:
      guard let status = error.response?.status else { return .unreadable(error) }
      return outcome(ofStatus: status, error.errors, delay)
    case .invalidOperation, .responseErrors: return refusal(error.errors, delay: delay)
    case .cancelled:
      if let transport = error.transportError { return outcome(of: transport) }
      return .ambiguous(Graph.RejectionReason(code: "cancelled", message: error.message))
    default: return .unreadable(error)
    }
  }

  /// The outcome of a GraphQL response (specification: 7.1 Response Format).
  func outcome(
    data: JSON?, errors: [GraphQL.ResponseError], delay: Duration? = nil
  ) -> AttemptOutcome {
    guard case .object(let root)? = data,
      let payload = root.members.first(where: { $0.key != "__typename" && $0.value != .null })?
        .value
    else {
      return errors.isEmpty
        ? .ambiguous(Graph.RejectionReason(code: "null", message: "the root field is null"))
        : refusal(errors, delay: delay)
    }
    guard let reason = userErrors(of: payload).first else { return .success }
    if reason.isTransactionInProgress { return .refused(reason, delay: delay) }
    return isConflict(reason) ? .conflict(reason) : .rejected(reason)
  }

  private func outcome(of error: Graph.TransportError) -> AttemptOutcome {
    let reason = Graph.RejectionReason(error)
    if error.code == .invalidRequest { return .rejected(reason) }
    return error.bytesSent ? .ambiguous(reason) : .unreachable(reason)
  }

  private func outcome(
    ofStatus status: Int, _ reasons: [GraphQL.ResponseError], _ delay: Duration?
  ) -> AttemptOutcome {
    let reason =
      reasons.first.map(Graph.RejectionReason.init)
      ?? Graph.RejectionReason(
        code: "http \(status)", message: "the server responded with \(status)")
    if let unknown = unknownDocument(in: reasons.map(Graph.RejectionReason.init)) {
      return .busy(unknown, delay: delay)
    }
    switch status {
    case 401, 407: return .unauthenticated()
    // The server has not accepted the request (RFC 9110, 15.5.9; RFC 8470, 5.2; RFC 6585, 4).
    case 408, 425, 429: return .busy(reason, delay: delay)
    // Without the field, a gateway may have lost the connection to a server that was carrying out
    // the request.
    case 503 where delay != nil: return .busy(reason, delay: delay)
    // Conflict, Precondition Failed (RFC 9110, 15.5.10 and 15.5.13).
    case 409, 412:
      let outcome = refusal([reason], delay: delay)
      return if case .rejected(let reason) = outcome { .conflict(reason) } else { outcome }
    case 400..<500: return refusal([reason], delay: delay)
    default: return .ambiguous(reason, delay: delay)
    }
  }

  /// The outcome of errors in place of a result.
  private func refusal(_ errors: [GraphQL.ResponseError], delay: Duration?) -> AttemptOutcome {
    refusal(errors.map(Graph.RejectionReason.init), delay: delay)
  }

  private func refusal(_ reasons: [Graph.RejectionReason], delay: Duration?) -> AttemptOutcome {
    guard let first = reasons.first else {
      return .ambiguous(Graph.RejectionReason(message: "the server gave no reason"))
    }
    if let unknown = unknownDocument(in: reasons) { return .busy(unknown, delay: delay) }
    for reason in reasons {
      guard reason.code != nil || reason.isTransactionInProgress else { continue }
      switch reason.normalized {
      case "unauthenticated": return .unauthenticated()
      case "throttled": return .busy(reason, delay: delay)
      case _ where reason.isTransactionInProgress: return .refused(reason, delay: delay)
      case let code where Self.ambiguousCodes.contains(code):
        return .ambiguous(reason, delay: delay)
      case _ where isConflict(reason): return .conflict(reason)
      default: continue
      }
    }
    return .rejected(first)
  }

  /// The reason that states that the server does not know the document: by its code, or by its message.
  private func unknownDocument(in reasons: [Graph.RejectionReason]) -> Graph.RejectionReason? {
    reasons.first { reason in
      Self.unknownDocumentCodes.contains(reason.normalized)
        || Self.unknownDocumentCodes.contains(
          Graph.RejectionReason(message: reason.message).normalized)
    }
  }

  private func isConflict(_ reason: Graph.RejectionReason) -> Bool {
    reason.code != nil && Self.conflictCodes.contains(reason.normalized)
  }

  /// The user errors of a payload: the entries of `userErrors` and of lists whose names end in that
  /// way.
  private func userErrors(of payload: JSON) -> [Graph.RejectionReason] {
    guard case .object(let members) = payload else { return [] }
    return members.members.flatMap { member -> [Graph.RejectionReason] in
      guard member.key.lowercased().hasSuffix("usererrors"), case .array(let entries) = member.value
      else { return [] }
      return entries.map { entry in
        Graph.RejectionReason(
          code: entry["code"]?.text, message: entry["message"]?.text ?? "the server gave no message"
        )
      }
    }
  }
}

extension AttemptOutcome {
  fileprivate static let notPrepared = AttemptOutcome.unreachable(
    Graph.RejectionReason(code: "request", message: "the request could not be prepared"))

  fileprivate static func unreadable(_ error: Graph.QueryError) -> AttemptOutcome {
    .ambiguous(
      Graph.RejectionReason(code: "unreadable", message: "\(error.code): \(error.message)"))
  }
}

extension Graph.RejectionReason {
  init(_ error: GraphQL.ResponseError) { self.init(code: error.code, message: error.message) }

  init(_ error: Graph.TransportError) {
    self.init(code: "\(error.code)", message: error.message)
  }
}

extension JSON {
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
