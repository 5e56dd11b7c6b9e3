import GraphJSON
import GraphQLRuntime
import Testing

/// The top level of a response (specification: 7.1 Response Format).
@Suite struct EnvelopeTests {
  private func response(_ text: String) throws -> GraphQL.Response<Shop.QueryRoot> {
    try Shop.buildQuery { $0.flags() }.operation().response(from: Array(text.utf8))
  }

  @Test func nullDataKeepsErrors() throws {
    let response = try response(
      #"""
      {"data":null,"errors":[{"message":"No","locations":[{"line":1,"column":2}],
      "path":["products",0,"title"],"extensions":{"code":"X"}}],"extensions":{"cost":3}}
      """#)
    #expect(response.data == nil)
    let error = try #require(response.errors.first)
    #expect(error.message == "No" && error.description == "products[0].title: No")
    #expect(error.locations.map(\.line) == [1] && error.locations.map(\.column) == [2])
    #expect(error.path == [.key("products"), .index(0), .key("title")])
    #expect(error.extensions == ["code": "X"])
    #expect(response.extensions == ["cost": 3])
  }

  @Test func readsErrorCodeFromExtensions() throws {
    let response = try response(
      #"""
      {"errors":[{"message":"a","extensions":{"code":"FORBIDDEN"}},
      {"message":"b","extensions":{"code":7}},{"message":"c"}]}
      """#)
    #expect(response.errors.map(\.code) == ["FORBIDDEN", nil, nil])
  }

  @Test func acceptsDataAndErrorsTogether() throws {
    let response = try response(#"{"errors":[{"message":"Half"}],"data":{"flags":null}}"#)
    #expect(response.data?.flags == nil && response.data != nil)
    #expect(response.errors.map(\.message) == ["Half"])
    #expect(response.extensions == .none)
  }

  @Test func ignoresNullExtensions() throws {
    let response = try response(#"{"data":{"flags":null},"extensions":null}"#)
    #expect(response.extensions == .none)
  }

  @Test func keepsMalformedErrors() throws {
    let response = try response(
      #"{"errors":["text",{},7,{"message":3,"locations":[1],"path":[true,"a"]}]}"#)
    #expect(
      response.errors.map(\.message) == [
        "text", "the server gave no message", "the server gave no message",
        "the server gave no message",
      ])
    #expect(response.errors[3].path == [.key("a")] && response.errors[3].locations.isEmpty)
    #expect(try self.response(#"{"data":null,"errors":null}"#).errors.isEmpty)
  }

  @Test(arguments: [
    ("[]", "not a GraphQL response: expected an object, found a list"),
    ("{}", "not a GraphQL response: there is neither `data` nor `errors`"),
    (#"{"data":[]}"#, "not a GraphQL response: `data` is a list"),
    (#"{"data":"x"}"#, "not a GraphQL response: `data` is a string"),
    (#"{"errors":{}}"#, "not a GraphQL response: `errors` is not a list"),
  ])
  func rejectsMalformedResponses(_ text: String, _ message: String) {
    let failure = #expect(throws: GraphQL.ResponseFailure.self) { try response(text) }
    #expect(failure?.description == message)
  }

  @Test(arguments: [
    "", "<html>", "{\"data\":", "{\"data\":{}} x", "{\"data\":{\"flags\":01}}", "\u{FEFF}",
  ])
  func rejectsInvalidJSON(_ text: String) {
    let failure = #expect(throws: GraphQL.ResponseFailure.self) { try response(text) }
    guard case .invalidJSON? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func rejectsDeeplyNestedJSON() {
    let text = "{\"data\":{\"extra\":" + String(repeating: "[", count: 100_000)
    let failure = #expect(throws: GraphQL.ResponseFailure.self) { try response(text) }
    #expect(failure?.description.hasPrefix("the response is not JSON") == true)
  }

  @Test func schemaViolationKeepsResponseErrors() {
    let failure = #expect(throws: GraphQL.ResponseFailure.self) {
      try response(#"{"data":{"flags":1},"errors":[{"message":"Why"}]}"#)
    }
    guard case .schemaViolation(let violation, let errors)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(violation.path == [.key("flags")] && errors.map(\.message) == ["Why"])
  }

  @Test func rejectsInvalidUTF8() throws {
    let operation = try Shop.buildQuery { $0.flags() }.operation()
    #expect(throws: GraphQL.ResponseFailure.self) {
      try operation.response(from: Array(#"{"data":{"x":""#.utf8) + [0xFF] + Array("\"}}".utf8))
    }
  }
}
