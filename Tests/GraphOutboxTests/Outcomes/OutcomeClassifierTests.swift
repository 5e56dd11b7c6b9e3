import GraphClient
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphOutbox

struct OutcomeClassifierTests {
  private let classifier = OutcomeClassifier()

  private enum Kind: Equatable {
    case success, rejected, conflict, refused, busy, unreachable, ambiguous, unauthenticated
  }

  private func kind(_ outcome: AttemptOutcome) -> Kind {
    switch outcome {
    case .success: .success
    case .rejected: .rejected
    case .conflict: .conflict
    case .refused: .refused
    case .busy: .busy
    case .unreachable: .unreachable
    case .ambiguous: .ambiguous
    case .unauthenticated: .unauthenticated
    }
  }

  private func http(_ status: Int, code: String? = nil, delay: Duration? = nil) -> Kind {
    let errors = code.map {
      [GraphQL.ResponseError(message: "no", extensions: ["code": .string($0)])]
    }
    return kind(
      classifier.outcome(
        of: Graph.QueryError(
          .status, message: "m", errors: errors ?? [],
          response: Graph.FailedResponse(status: status)), delay: delay))
  }

  @Test func anUntrustedDocumentIsTheReason() {
    let error = Graph.QueryError(.untrustedDocument, message: "not in the manifest")
    guard case .unreachable(let reason) = classifier.outcome(beforeSending: error) else {
      Issue.record("the operation does not wait")
      return
    }
    #expect(reason.code == "untrustedDocument" && reason.message == "not in the manifest")
  }

  /// The server's manifest may be older than the app.
  @Test(arguments: [
    ("m", "PERSISTED_QUERY_NOT_FOUND"), ("m", "PERSISTED_QUERY_NOT_IN_LIST"),
    ("PersistedQueryNotFound", nil), ("PersistedQueryNotInList", nil),
    ("PersistedQueryNotFound", "BAD_REQUEST"), ("PERSISTED_QUERY_NOT_FOUND", "THROTTLED"),
  ])
  func anUnknownDocumentWaits(message: String, code: String?) {
    let error = GraphQL.ResponseError(
      message: message, extensions: code.map { ["code": .string($0)] } ?? [:])
    let errors = [GraphQL.ResponseError(message: "m", extensions: ["code": "BAD_REQUEST"]), error]
    #expect(kind(classifier.outcome(data: nil, errors: errors)) == .busy)
    for status in [400, 404, 500] {
      let refusal = Graph.QueryError(
        .status, message: "m", errors: errors, response: Graph.FailedResponse(status: status))
      #expect(kind(classifier.outcome(of: refusal, delay: nil)) == .busy)
    }
  }

  @Test func classifiesHTTPStatusCodes() {
    for status in [400, 403, 404, 413, 422] { #expect(http(status) == .rejected) }
    for status in [409, 412] { #expect(http(status) == .conflict) }
    #expect(http(400, code: "STALE_OBJECT") == .conflict)
    for status in [408, 425, 429] { #expect(http(status) == .busy) }
    for status in [500, 502, 503, 504, 302] { #expect(http(status) == .ambiguous) }
    #expect(http(401) == .unauthenticated)
    #expect(http(503, delay: .seconds(3)) == .busy)
    #expect(http(409, code: "TRANSACTION_IN_PROGRESS_FOR_ITEM") == .refused)
  }

  @Test func transportErrorsAreAmbiguousIfBytesWereSent() {
    func outcome(_ code: Graph.TransportError.Code, sent: Bool) -> AttemptOutcome {
      classifier.outcome(
        of: Graph.QueryError(
          .transport, message: "m",
          cause: Graph.TransportError(code, message: "m", bytesSent: sent)), delay: nil)
    }
    #expect(kind(outcome(.timedOut, sent: true)) == .ambiguous)
    #expect(kind(outcome(.connectionLost, sent: true)) == .ambiguous)
    #expect(kind(outcome(.timedOut, sent: false)) == .unreachable)
    #expect(kind(outcome(.cannotConnect, sent: false)) == .unreachable)
    #expect(kind(outcome(.cannotWriteFile, sent: false)) == .unreachable)
    #expect(kind(outcome(.invalidRequest, sent: false)) == .rejected)
  }

  /// The codes whose outcome does not depend on more than the code. An unknown one, of a later
  /// version or of the program, shows nothing about whether the operation was carried out.
  @Test func classifiesQueryErrorCodes() {
    func outcomes(_ code: Graph.QueryError.Code) -> [Kind] {
      let error = Graph.QueryError(code, message: "m")
      return [classifier.outcome(of: error, delay: nil), classifier.outcome(beforeSending: error)]
        .map(kind)
    }
    for code in [
      Graph.QueryError.Code.noData, .invalidJSON, .malformedResponse, .schemaViolation, .cancelled,
      .cacheMiss, .unexpectedContentType, .protocolViolation, .transport, .status,
      Graph.QueryError.Code("mine"), Graph.QueryError.Code(""), Graph.QueryError.Code("Transport"),
    ] { #expect(outcomes(code) == [.ambiguous, .unreachable], "\(code)") }
    #expect(outcomes(.noCredentials) == [.unauthenticated, .unauthenticated])
    #expect(outcomes(.unauthenticated) == [.ambiguous, .unauthenticated])
    // Without errors, nothing is known about the operation.
    #expect(outcomes(.responseErrors) == [.ambiguous, .ambiguous])
    #expect(outcomes(.invalidOperation) == [.ambiguous, .ambiguous])
  }

  /// A cause does not decide: only the code states what it means.
  @Test func unknownErrorCodesAreAmbiguousWhateverTheirCause() {
    let error = Graph.QueryError(
      Graph.QueryError.Code("mine"), message: "m",
      cause: Graph.TransportError(.cannotConnect, message: "m"),
      errors: [GraphQL.ResponseError(message: "no", extensions: ["code": "BAD_USER_INPUT"])],
      response: Graph.FailedResponse(status: 400))
    #expect(
      classifier.outcome(of: error, delay: nil)
        == .ambiguous(Graph.RejectionReason(code: "unreadable", message: "mine: m")))
  }

  @Test func anUnavailableTokenDoesNotCountAsARefusal() {
    let error = Graph.QueryError(
      .transport, message: "m", cause: Graph.TransportError(.cannotConnect, message: "m"))
    #expect(kind(classifier.outcome(beforeSending: error)) == .unreachable)
  }

  private func response(_ text: String, _ errors: [(String, String?)] = []) throws -> AttemptOutcome
  {
    classifier.outcome(
      data: try JSON(parsing: Array(text.utf8)),
      errors: errors.map { message, code in
        GraphQL.ResponseError(message: message, extensions: code.map { ["code": .string($0)] })
      })
  }

  @Test func aPayloadWithoutUserErrorsIsSuccess() throws {
    #expect(try response(#"{"cartCreate":{"cart":{"id":"1"},"userErrors":[]}}"#) == .success)
    #expect(try response(#"{"deleted":true}"#) == .success)
    // A part that could not be read does not undo the change.
    #expect(try response(#"{"cartCreate":{"cart":null}}"#, [("no price", nil)]) == .success)
  }

  @Test func userErrorsRejectTheOperation() throws {
    let outcome = try response(
      #"{"a":{"customerUserErrors":[{"message":"too long","code":"TOO_LONG"}]}}"#)
    #expect(outcome == .rejected(Graph.RejectionReason(code: "TOO_LONG", message: "too long")))
    let busy = try response(
      #"{"a":{"userErrors":[{"message":"Transaction in progress for item 7"}]}}"#)
    #expect(kind(busy) == .refused)
  }

  @Test func classifiesResponseErrorsWithoutData() throws {
    #expect(try kind(response("null", [("bad", nil)])) == .rejected)
    #expect(try kind(response(#"{"a":null}"#, [("bad", "BAD_USER_INPUT")])) == .rejected)
    #expect(try kind(response(#"{"a":null}"#, [("oops", "INTERNAL_SERVER_ERROR")])) == .ambiguous)
    #expect(try kind(response("null", [("slow down", "THROTTLED")])) == .busy)
    #expect(try response("null", [("who?", "UNAUTHENTICATED")]) == .unauthenticated())
    #expect(try kind(response(#"{"a":null}"#)) == .ambiguous)
  }
}
