import Foundation
import GraphQLRuntime
import Testing

@testable import GraphClient

/// The client's half of GraphQL over HTTP: what it sends, and what it makes of each response that a
/// server must or should send, or must not.
@Suite struct GraphQLOverHTTPTests {
  private static let response = "application/graphql-response+json"
  private static let json = "application/json"
  private static let data = #"{"data":{"shop":{"name":"Shoes"}}}"#
  private static let partial =
    #"{"data":{"shop":{"name":"Shoes","description":null}},"errors":[{"message":"cut"}]}"#
  private static let refusal = #"{"errors":[{"message":"no"}]}"#

  private func outcome(_ body: String, _ status: Int, _ type: String?) async throws -> String {
    let transport = ScriptedTransport(.json(body, status: status, type: type))
    do throws(Graph.QueryError) {
      let response = try await Graph.Client.test(transport) { $0.retryPolicy = .none }
        .query(shopQuery())
      return "\(response.data?.shop.name ?? "no data") \(response.errors.map(\.message))"
    } catch {
      return "\(error.code) \(error.errors.map(\.message))"
    }
  }

  @Test(
    "A response of GraphQL's media type is read for every status",
    arguments: [
      (data, 200, "Shoes []"), (partial, 200, #"Shoes ["cut"]"#), (partial, 294, #"Shoes ["cut"]"#),
      (refusal, 400, #"no data ["no"]"#), (refusal, 401, #"no data ["no"]"#),
      (refusal, 405, #"no data ["no"]"#), (refusal, 422, #"no data ["no"]"#),
      (refusal, 500, #"no data ["no"]"#),
      // A server must not send these.
      (refusal, 200, #"no data ["no"]"#), (data, 400, "Shoes []"), (data, 500, "Shoes []"),
      (#"{"data":null}"#, 200, "no data []"), ("{}", 200, "malformedResponse []"),
      (#"{"errors":[]}"#, 400, "no data []"), ("[]", 200, "malformedResponse []"),
      ("Bad Gateway", 502, "invalidJSON []"), ("", 200, "noData []"), ("", 500, "status []"),
    ])
  func readsGraphQLResponses(body: String, status: Int, expected: String) async throws {
    #expect(try await outcome(body, status, Self.response) == expected)
    #expect(try await outcome(body, status, Self.response + "; charset=utf-8") == expected)
  }

  @Test(
    "JSON is a response only with a status of 2xx",
    arguments: [
      (data, 200, "Shoes []"), (data, 203, "Shoes []"),
      ("\u{FEFF}" + data, 200, "Shoes []"), (partial, 294, #"Shoes ["cut"]"#),
      (refusal, 200, #"no data ["no"]"#), (refusal, 400, #"status ["no"]"#),
      (refusal, 401, #"status ["no"]"#), (refusal, 500, #"status ["no"]"#),
      (data, 400, "status []"), (#"{"message":"down"}"#, 503, "status []"),
      (#"{"error":"down"}"#, 200, "malformedResponse []"),
    ])
  func readsJSONWithSuccess(body: String, status: Int, expected: String) async throws {
    #expect(try await outcome(body, status, Self.json) == expected)
    #expect(try await outcome(body, status, "Application/JSON;charset=UTF-8") == expected)
  }

  @Test(
    "Pages of proxies are reported as what they are",
    arguments: [
      (200, "text/html", "unexpectedContentType []"), (502, "text/html", "status []"),
      (403, "text/plain", "status []"), (200, "text/plain", "unexpectedContentType []"),
      (204, nil, "invalidJSON []"), (200, "image/png", "unexpectedContentType []"),
    ] as [(Int, String?, String)])
  func reportsOtherContents(status: Int, type: String?, expected: String) async throws {
    #expect(try await outcome("<html>Sign in</html>", status, type) == expected)
  }

  @Test func operationIsAlwaysSentAsJSONPost() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport)
    _ = try await client.query(shopQuery())
    _ = try? await client.mutate(renameMutation())
    #expect(transport.requests.map(\.method) == [.post, .post])
    #expect(transport.requests.allSatisfy { $0.headers["Content-Type"] == "application/json" })
    #expect(
      transport.requests.allSatisfy {
        $0.headers["Accept"] == "application/graphql-response+json, application/json;q=0.9"
      })
  }

  /// A GET must never carry a mutation.
  @Test func mutationIsNeverAGet() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport) { $0.persistedQueries = .get() }
    _ = try await client.query(shopQuery())
    _ = try? await client.mutate(renameMutation())
    #expect(transport.requests.map(\.method) == [.get, .post])
  }
}
