import Foundation
import Testing

@testable import GraphClient

/// The sentences that a user may see.
struct QueryErrorDescriptionTests {
  @Test(arguments: [
    (Graph.QueryError.Code.cacheMiss, "This content is not available offline."),
    (.schemaViolation, "The response of the service cannot be read."),
    (.responseErrors, "The service could not carry out the request."),
    (.unauthenticated, "You are not signed in."), (.cancelled, "The request was cancelled."),
    (Graph.QueryError.Code("mine"), "The request failed."),
  ])
  func eachCodeHasASentence(_ code: Graph.QueryError.Code, _ expected: String) {
    let error = Graph.QueryError(code, message: "secret of the server")
    #expect(error.localizedDescription == expected)
    #expect(error.failureReason == error.description)
    #expect(error.isCancelled == (code == .cancelled))
  }

  @Test(arguments: [
    (Graph.TransportError.Code.timedOut, "The service did not respond in time."),
    (.cannotConnect, "The service cannot be reached."), (.unsupported, "The request failed."),
  ])
  func theCauseDecidesAboutTransportErrors(_ code: Graph.TransportError.Code, _ expected: String) {
    let cause = Graph.TransportError(code, message: "m")
    #expect(cause.localizedDescription == expected && cause.failureReason == "\(code): m")
    #expect(
      Graph.QueryError(.transport, message: "m", cause: cause).localizedDescription == expected)
  }
}
