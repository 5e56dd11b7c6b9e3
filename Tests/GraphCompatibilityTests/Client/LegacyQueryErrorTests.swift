import Foundation
import GraphClient
import GraphCompatibility
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import Testing

struct LegacyQueryErrorTests {
  private struct Lost: Error {}

  private func legacy(
    _ code: Graph.QueryError.Code, cause: (any Error)? = nil, body: String? = nil,
    status: Int? = 200
  ) -> Graph.LegacyQueryError {
    Graph.LegacyQueryError(
      Graph.QueryError(
        code, message: "m", cause: cause, errors: [.init(message: "e")],
        response: body.map { Graph.FailedResponse(status: status, bytes: Array($0.utf8)) }))
  }

  @Test func convertsTransportErrors() {
    if case .request(let error) = legacy(.transport, cause: Lost()) {
      #expect(error is Lost)
    } else {
      Issue.record("another case")
    }
    if case .request(let error) = legacy(.transport) {
      #expect((error as? Graph.QueryError)?.code == .transport)
    } else {
      Issue.record("another case")
    }
    if case .request(error: nil) = legacy(.noCredentials) {} else { Issue.record("another case") }
  }

  @Test func convertsHTTPStatus() {
    if case .http(let status) = legacy(.status, body: "busy", status: 503) {
      #expect(status == 503)
    } else {
      Issue.record("another case")
    }
    // One payload of a stream has no status.
    if case .other(let error) = legacy(.status, body: "busy", status: nil) {
      #expect(error.code == .status)
    } else {
      Issue.record("another case")
    }
  }

  @Test func convertsInvalidBodies() {
    if case .jsonDeserializationFailed(let data) = legacy(.invalidJSON, body: "<p>") {
      #expect(data == Data("<p>".utf8))
    } else {
      Issue.record("another case")
    }
    if case .invalidJson(let json) = legacy(.malformedResponse, body: "[1]") {
      #expect(json == [1])
    } else {
      Issue.record("another case")
    }
    if case .invalidJson(json: nil) = legacy(.malformedResponse, body: "[1") {
    } else {
      Issue.record("another case")
    }
  }

  @Test(arguments: [Graph.QueryError.Code.invalidOperation, .responseErrors])
  func convertsErrorsToReasons(code: Graph.QueryError.Code) {
    if case .invalidQuery(let reasons) = legacy(code) {
      #expect(reasons.map(\.message) == ["e"])
    } else {
      Issue.record("another case")
    }
  }

  @Test func convertsSchemaViolations() throws {
    let violation = #expect(throws: GraphQL.SchemaViolation.self) {
      try Storefront.Shop(fields: ["name": 1])
    }
    if case .schemaViolation(let found) = legacy(.schemaViolation, cause: violation) {
      #expect(found.description == violation?.description)
    } else {
      Issue.record("another case")
    }
    if case .other = legacy(.schemaViolation) {} else { Issue.record("another case") }
  }

  @Test func keepsOtherErrorCodes() {
    if case .noData = legacy(.noData) {} else { Issue.record("another case") }
    if case .cancelled = legacy(.cancelled) {} else { Issue.record("another case") }
    for code in [.cacheMiss, .unexpectedContentType, Graph.QueryError.Code("maintenance")] {
      if case .other(let error) = legacy(code) {
        #expect(error.code == code)
      } else {
        Issue.record("another case")
      }
    }
  }

  @Test func descriptionsOmitResponseData() {
    for code in [Graph.QueryError.Code.status, .invalidJSON, .malformedResponse, .cacheMiss] {
      var text = ""
      let error = legacy(code, body: #"{"secret":"s3cret"}"#)
      dump(error, to: &text)
      #expect(!"\(error) \(error as any Error) \(text)".contains("s3cret"))
    }
  }
}
