import GraphJSON
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
  func readsGraphQLResponsesWithAnyStatus(status: Int) async throws {
    let response = try await outcome(
      errors, status: status, type: "application/graphql-response+json; charset=utf-8"
    ).get()
    #expect(response.data == nil)
    #expect(response.errors.map(\.message) == ["no"])
    let error = #expect(throws: Graph.QueryError.self) { try response.requireData() }
    #expect(error?.code == .responseErrors && error?.message == "no")
    #expect(error?.errors == response.errors)
  }

  @Test(arguments: [200, 203, 294, 299])
  func readsJSONResponsesWith2xxStatus(status: Int) async throws {
    let response = try await outcome(
      data, status: status, type: "Application/JSON;charset=\"utf-8\""
    ).get()
    #expect(response.data?.shop.name == "Shoes")
  }

  /// The error of a response that cannot be used.
  private func error(
    _ text: String, status: Int = 200, type: String? = "application/json"
  ) async throws -> Graph.QueryError {
    let error = try #require(await outcome(text, status: status, type: type).failure)
    #expect(error.response?.status == status && error.response?.text == text)
    #expect(error.response?.headers["Content-Type"] == type)
    #expect(error.request?.kind == .query)
    return error
  }

  @Test(arguments: [302, 400, 404, 500])
  func jsonWithAnotherStatusIsAStatusError(status: Int) async throws {
    let error = try await error(errors, status: status)
    #expect(error.code == .status && error.message.contains("\(status); no"))
    #expect(error.errors.map(\.message) == ["no"])
  }

  @Test func htmlWithAnErrorStatusIsAStatusError() async throws {
    let error = try await error("<html>Bad Gateway</html>", status: 502, type: "text/html")
    #expect(error.code == .status && error.errors.isEmpty)
  }

  @Test func successfulHTMLIsAContentTypeError() async throws {
    let error = try await error("<html>Log in</html>", type: "text/html")
    #expect(error.code == .unexpectedContentType && error.message.contains("text/html"))
  }

  @Test(arguments: ["text/plain; charset=utf-8", "text/html", "application/graphql+json", "?"])
  func successfulJSONObjectIsReadWhateverItsMediaType(type: String) async throws {
    let response = try await outcome(" \r\n" + data, status: 200, type: type).get()
    #expect(response.data?.shop.name == "Shoes")
    #expect(try await error(data, status: 500, type: type).code == .status)
    #expect(try await error("[]", type: type).code == .unexpectedContentType)
  }

  @Test func missingMediaTypeIsReadAsJSON() async throws {
    #expect(try await outcome(data, status: 200, type: nil).get().data?.shop.name == "Shoes")
  }

  @Test func emptyBodyCausesANoDataError() async throws {
    #expect(try await error("").code == .noData)
  }

  @Test func truncatedBodyIsInvalidJSON() async throws {
    let error = try await error(#"{"data":{"#)
    #expect(error.code == .invalidJSON && error.cause is JSONError)
  }

  @Test(arguments: ["[]", "7", "{}", #"{"data":3}"#, #"{"data":null,"errors":3}"#])
  func unexpectedJSONIsAMalformedResponse(text: String) async throws {
    #expect(try await error(text).code == .malformedResponse)
  }

  @Test func wrongTypesAreASchemaViolation() async throws {
    let error = try await error(
      #"{"data":{"shop":{"name":null}},"errors":[{"message":"no"}]}"#)
    #expect(error.code == .schemaViolation && error.errors.map(\.message) == ["no"])
    let violation = try #require(error.cause as? GraphQL.SchemaViolation)
    #expect(violation.description.contains("shop.name") && error.message == "\(violation)")
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
