import GraphQLRuntime
import Testing

@testable import GraphClient

/// GraphQL over HTTP, Processing a response.
struct ResponseReaderTests {
  private let data = #"{"data":{"shop":{"name":"Shoes"}}}"#
  private let errors = #"{"errors":[{"message":"no"}]}"#

  private func outcome(
    _ text: String, status: Int, type: String?
  ) async -> Result<Graph.Response<Store.QueryRoot>, Graph.QueryError> {
    let client = Graph.Client.test(
      ScriptedTransport(.json(text, status: status, type: type))
    ) { $0.retryPolicy = .none }
    do { return .success(try await client.query(shopQuery())) } catch { return .failure(error) }
  }

  @Test(arguments: [200, 294, 400, 401, 500, 503])
  func graphQLResponseIsReadWhateverTheStatus(status: Int) async throws {
    let response = try await outcome(
      errors, status: status, type: "application/graphql-response+json; charset=utf-8"
    ).get()
    #expect(response.data == nil)
    #expect(response.errors.map(\.message) == ["no"])
    #expect(throws: Graph.QueryError.self) { try response.requireData() }
  }

  @Test(arguments: [200, 203, 294, 299])
  func jsonIsAResponseWith2xx(status: Int) async throws {
    let response = try await outcome(
      data, status: status, type: "Application/JSON;charset=\"utf-8\""
    ).get()
    #expect(response.data?.shop.name == "Shoes")
  }

  @Test(arguments: [302, 400, 404, 500])
  func jsonWithAnotherStatusIsADiagnosis(status: Int) async throws {
    guard
      case .failure(.http(let code, let body)) = await outcome(
        errors, status: status, type: "application/json")
    else {
      Issue.record("no HTTP error")
      return
    }
    #expect(code == status)
    #expect(body.reasons.map(\.message) == ["no"])
    #expect(body.text == errors)
  }

  @Test func aPageWithAnErrorStatusIsAnHTTPError() async throws {
    guard
      case .failure(.http(502, let body)) = await outcome(
        "<html>Bad Gateway</html>", status: 502, type: "text/html")
    else {
      Issue.record("no HTTP error")
      return
    }
    #expect(body.reasons.isEmpty && body.text.contains("Bad Gateway"))
  }

  @Test func aPageWithSuccessIsNoResponse() async throws {
    guard
      case .failure(.other(let failure)) = await outcome(
        "<html>Log in</html>", status: 200, type: "text/html")
    else {
      Issue.record("no failure")
      return
    }
    #expect(failure.code == .unexpectedContentType)
  }

  @Test func withoutAMediaTypeJSONIsTaken() async throws {
    #expect(try await outcome(data, status: 200, type: nil).get().data?.shop.name == "Shoes")
  }

  @Test func emptyBodyIsNoData() async throws {
    guard case .failure(.noData) = await outcome("", status: 200, type: "application/json") else {
      Issue.record("no failure")
      return
    }
  }

  @Test func cutShortIsNotJSON() async throws {
    guard
      case .failure(.jsonDeserializationFailed(let body)) = await outcome(
        #"{"data":{"#, status: 200, type: "application/json")
    else {
      Issue.record("no failure")
      return
    }
    #expect(body.text == #"{"data":{"#)
  }

  @Test(arguments: ["[]", "7", "{}", #"{"data":3}"#, #"{"data":null,"errors":3}"#])
  func otherJSONIsInvalid(text: String) async throws {
    guard
      case .failure(.invalidJson) = await outcome(text, status: 200, type: "application/json")
    else {
      Issue.record("no failure")
      return
    }
  }

  @Test func wrongTypesAreASchemaViolation() async throws {
    guard
      case .failure(.schemaViolation(let violation, let reasons)) = await outcome(
        #"{"data":{"shop":{"name":null}},"errors":[{"message":"no"}]}"#, status: 200,
        type: "application/json")
    else {
      Issue.record("no failure")
      return
    }
    #expect(violation.description.contains("shop.name"))
    #expect(reasons.map(\.message) == ["no"])
  }
}
