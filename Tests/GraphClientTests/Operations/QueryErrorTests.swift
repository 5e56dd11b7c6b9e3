import GraphQLRuntime
import Testing

@testable import GraphClient

/// The parts of an error that do not depend on its code. The tests of each subject check the codes.
struct QueryErrorTests {
  private let lost = Graph.TransportError(.connectionLost, message: "gone", bytesSent: true)

  private func client(_ error: any Error) -> Graph.Client {
    Graph.Client.test(ScriptedTransport { _ in throw error }) { $0.retryPolicy = .none }
  }

  @Test func anErrorOfTheTransportIsTheCause() async throws {
    do {
      try Task.checkCancellation()
      _ = try await client(lost).mutate(renameMutation())
      Issue.record("there is a response")
    } catch let error as Graph.QueryError where error.code == .transport {
      #expect(error.transportError?.code == .connectionLost)
      #expect(error.transportError?.bytesSent == true)
      #expect(error.request?.kind == .mutation && error.response == nil)
      #expect(error.description.hasPrefix("transport: the request failed: connectionLost: gone"))
      #expect(error.description.hasSuffix("(mutation (anonymous))"))
    } catch {
      Issue.record(error)
    }
  }

  @Test func cancelledTransportErrorHasTheCancelledCode() async throws {
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client(Graph.TransportError(.cancelled, message: "c")).query(shopQuery())
    }
    #expect(error?.code == .cancelled && error?.transportError != nil)
    let other = await #expect(throws: Graph.QueryError.self) {
      try await client(CancellationError()).query(shopQuery())
    }
    #expect(other?.code == .cancelled && other?.cause == nil && other?.request != nil)
  }

  private struct Failing: Graph.Interceptor {
    let error: Graph.QueryError
    var failsEarly = false

    func prepare(_ request: Graph.OperationRequest) throws -> Graph.OperationRequest {
      if failsEarly { throw error }
      return request
    }

    func intercept(
      _ request: Graph.OperationRequest, next: Next
    ) async throws -> Graph.OperationResponse {
      throw error
    }
  }

  /// The client adds the request to an error with a code of the program.
  @Test(arguments: [true, false])
  func interceptorErrorWithACustomCodeReachesTheCaller(_ failsEarly: Bool) async throws {
    let code = Graph.QueryError.Code("maintenance")
    let thrown = Graph.QueryError(
      code, message: "the shop is closed", cause: lost,
      errors: [GraphQL.ResponseError(message: "no")],
      response: Graph.FailedResponse(status: 418))
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(
      transport, cachePolicy: .networkFirst,
      interceptors: [Failing(error: thrown, failsEarly: failsEarly)])
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(error == thrown && error?.code == code && error?.request?.kind == .query)
    #expect(error?.transportError?.code == .connectionLost)
    // An unknown code does not lead to another attempt.
    #expect(transport.requests.isEmpty)
  }

  @Test func nestedErrorKeepsItsFirstRequest() async throws {
    let inner = try #require(
      await #expect(throws: Graph.QueryError.self) {
        try await client(lost).mutate(renameMutation())
      })
    let outer = Graph.Client.test(ScriptedTransport(.shop), interceptors: [Failing(error: inner)])
    let error = await #expect(throws: Graph.QueryError.self) { try await outer.query(shopQuery()) }
    #expect(error?.request?.kind == .mutation)
  }

  @Test func equalityLeavesOutCauseAndRequest() async throws {
    func error(_ status: Int, _ cause: (any Error)? = nil) -> Graph.QueryError {
      Graph.QueryError(
        .status, message: "m", cause: cause, response: Graph.FailedResponse(status: status))
    }
    #expect(error(500) == error(500, lost))
    #expect(error(500).hashValue == error(500, lost).hashValue)
    #expect(error(500) != error(501))
    #expect(error(500) != Graph.QueryError(.status, message: "n", response: error(500).response))
    #expect(Set([error(500), error(500, lost), error(501)]).count == 2)
  }

  /// A web socket's `error` may have an empty list.
  @Test func refusalWithoutErrorsHasADescription() {
    #expect(
      "\(Graph.QueryError.responseErrors([]))" == "responseErrors: the server gave no reason")
  }

  @Test func classifiesOutages() {
    func error(_ code: Graph.QueryError.Code, _ status: Int? = nil) -> Graph.QueryError {
      Graph.QueryError(
        code, message: "m", response: status.map { Graph.FailedResponse(status: $0) })
    }
    for code in [
      Graph.QueryError.Code.transport, .noCredentials, .noData, .invalidJSON,
      .unexpectedContentType,
    ] { #expect(error(code).isOutage) }
    for code in [
      Graph.QueryError.Code.invalidOperation, .responseErrors, .malformedResponse,
      .schemaViolation, .cancelled, .cacheMiss, .protocolViolation, .unauthenticated, .status,
      Graph.QueryError.Code("transport error"),
    ] { #expect(!error(code).isOutage) }
    for status in [429, 500, 503] { #expect(error(.status, status).isOutage) }
    for status in [401, 404] { #expect(!error(.status, status).isOutage) }
  }

  @Test func longResponseBodyIsTruncated() {
    let response = Graph.FailedResponse(
      status: 500, headers: ["X-Token": "secret"], bytes: Array(repeating: 97, count: 100_000))
    #expect(response.bytes.count == 1 << 16 && response.text.hasPrefix("aaa"))
    #expect(!"\(response)".contains("secret") && !"\(response)".contains("aaa"))
  }
}
