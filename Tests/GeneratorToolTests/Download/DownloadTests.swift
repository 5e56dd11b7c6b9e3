import Foundation
import GraphJSON
import GraphQLPrinting
import GraphQLSchema
import Loopback
import TestSupport
import Testing

@testable import graphql_generator

@Suite("download-schema", .serialized)
struct DownloadTests {
  static let secret = "s3cr3t-t0k3n"
  static let schema =
    "type Query { book(id: ID!): String old(a: Int @deprecated): Int } input F @oneOf { a: Int }"
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func introspection() throws -> String {
    String(
      decoding: try ServiceSchema.read([Source(name: "s", text: schema)]).introspectionResult(),
      as: UTF8.self)
  }

  private static func errors(_ message: String) -> String {
    #"{"errors":[{"message":"\#(message)"}]}"#
  }

  /// Runs the subcommand against a server, with a token.
  private func download(_ url: String, _ options: String...) -> ToolRun {
    let run = ToolRun(
      ["download-schema", "--endpoint", url, "--header", "Authorization: Bearer \(Self.secret)"]
        + options)
    #expect(!run.output.contains(Self.secret) && !run.error.contains(Self.secret))
    return run
  }

  private func serve(_ response: @escaping @Sendable (ServedRequest) -> String?) throws
    -> TestServer
  {
    try TestServer(response: response)
  }

  @Test func leavesOutByteOrderMark() throws {
    let result = try Self.introspection()
    let server = try serve { _ in TestServer.response("\u{FEFF}\(result)") }
    defer { withExtendedLifetime(server) {} }
    #expect(download(server.url).output == result + "\n")
  }

  @Test func writesDownloadedSchema() throws {
    let result = try Self.introspection()
    let server = try serve { _ in TestServer.response(result) }
    defer { withExtendedLifetime(server) {} }
    let run = download(server.url, "--output", folder.path("schema.json"))
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output == "2 types in \(folder.path("schema.json"))\n")
    #expect(try folder.text("schema.json") == result + "\n")
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer \(Self.secret)" })
    #expect(server.requests.allSatisfy { $0.headers["content-type"] == "application/json" })
    for (request, name) in zip(server.requests, ["IntrospectionFeatures", "IntrospectionQuery"]) {
      let body = try JSON(parsing: Array(request.body.utf8))
      #expect(body["operationName"] == .string(name))
      #expect(request.body.contains("query \(name) "))
    }
    // The server did not report what its introspection supports, so everything was requested.
    let query = try #require(server.requests.last).body
    for part in ["isOneOf", "specifiedByURL", "isRepeatable", "includeDeprecated"] {
      #expect(query.contains(part))
    }
    #expect(download(server.url, "--output", folder.path("schema.graphqls")).status == .success)
    #expect(try folder.text("schema.graphqls").hasPrefix("type Query {"))
    #expect(download(server.url).output == result + "\n")
  }

  @Test func requestsOnlyFeaturesSupportedByServer() throws {
    let result = try Self.introspection()
    let server = try serve { request in
      guard request.body.contains("query IntrospectionFeatures") else {
        return TestServer.response(result)
      }
      return TestServer.response(
        #"{"data":{"Type":{"name":"__Type","fields":[{"name":"specifiedByURL","args":[]}]}}}"#)
    }
    defer { withExtendedLifetime(server) {} }
    #expect(download(server.url).status == .success)
    let query = try #require(server.requests.last).body
    #expect(query.contains("specifiedByURL") && query.contains("onOperation onField onFragment"))
    for part in ["isOneOf", "isRepeatable", "args(includeDeprecated", "locations"] {
      #expect(!query.contains(part), "\(part)")
    }
  }

  @Test(arguments: ["200 OK", "400 Bad Request"])
  func omitsUnsupportedFeaturesAfterValidationErrors(status: String) throws {
    let result = try Self.introspection()
    let server = try serve { request in
      for part in ["isOneOf", "specifiedByURL", "isRepeatable"] where request.body.contains(part) {
        return TestServer.response(Self.errors("Cannot query field '\(part)'"), status: status)
      }
      return TestServer.response(
        request.body.contains("Features") ? Self.errors("no __type") : result)
    }
    defer { withExtendedLifetime(server) {} }
    #expect(download(server.url).status == .success)
    #expect(server.requests.count == 5)
    #expect(try #require(server.requests.last).body.contains("includeDeprecated"))
  }

  @Test func requestsFewerWrappersWhereTheDepthIsLimited() throws {
    let result = try Self.introspection()
    let server = try serve { request in
      let depth = request.body.components(separatedBy: "ofType").count
      return TestServer.response(
        depth > 6 ? Self.errors("Query has depth of 14, which exceeds max depth of 11") : result)
    }
    defer { withExtendedLifetime(server) {} }
    #expect(download(server.url).status == .success)
    let query = try #require(server.requests.last).body
    #expect(query.components(separatedBy: "ofType").count == 6 && query.contains("isOneOf"))
  }

  /// The user cannot change the query that download-schema sends.
  @Test func typeThatNeedsMoreDepthNamesTheLimit() throws {
    let list = #"{"kind":"LIST","name":null,"ofType":"#
    let server = try serve { request in
      let depth = request.body.components(separatedBy: "ofType").count
      return TestServer.response(
        depth > 6
          ? Self.errors("Query has depth of 14, which exceeds max depth of 11")
          : #"{"data":{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","#
            + #""fields":[{"name":"f","args":[],"type":\#(list)\#(list){"kind":"LIST","name":null}"#
            + "}}}]}]}}}")
    }
    defer { withExtendedLifetime(server) {} }
    let run = download(server.url)
    #expect(run.status == .problems)
    #expect(run.error.contains("The type of \"Q.f\" is cut off"))
    #expect(
      run.error.contains(
        "The server limits the depth of queries: "
          + "\"Query has depth of 14, which exceeds max depth of 11\". "
          + "Ask the owner of the server for the schema."))
    #expect(!run.error.contains("more levels"))
  }

  @Test func limitsRequestsIfServerRejectsIntrospection() throws {
    let server = try serve { _ in TestServer.response(Self.errors("no \(Self.secret)")) }
    defer { withExtendedLifetime(server) {} }
    let run = download(server.url)
    #expect(run.status == .problems)
    #expect(run.error.contains(#"The server refuses introspection: "no ***"."#))
    #expect(server.requests.count == IntrospectionFeature.allCases.count + 2)
  }

  @Test(arguments: [
    (TestServer.response("<html>", type: "text/html"), "a web page (HTML)"),
    (TestServer.response("nothing"), "The response is not JSON."),
    (
      TestServer.response(#"{"status":"ok"}"#),
      "The response contains neither a schema nor an error.\n  = Check that the address"
    ),
    (
      TestServer.response(#"{"data":null}"#), "The response contains neither a schema nor an error."
    ),
    (TestServer.response("{}", status: "401 Unauthorized"), "Specify a token with --header."),
    (TestServer.response("{}", status: "403 Forbidden"), "Check the token in --header."),
    (
      TestServer.response("{}", status: "404 Not Found"),
      "The server has no resource at this address (404)."
    ),
    (
      TestServer.response("<html>", status: "501 Unsupported method", type: "text/html"),
      "The server does not accept POST requests (501).\n  = Check the address"
    ),
    (TestServer.response("{}", status: "503 Busy"), "The server reports an internal error (503)."),
    (
      TestServer.response(errors("no such \(secret)"), status: "500 Oops"),
      #"The server reports an internal error (500). Its message is "no such ***"."#
    ),
    (
      TestServer.response("{}", status: "303 See", headers: "Location: /a\r\n"),
      "to a URL that is not allowed"
    ),
    (
      TestServer.response(errors("GraphQL introspection is not allowed")),
      "does not allow introspection"
    ),
    (
      TestServer.response(#"{"data":{"__schema":{"types":[{"kind":"OBJECT","name":"A"}]}}}"#),
      "error: "
    ),
  ])
  func reportsDownloadErrorAndKeepsExistingFile(response: String, message: String) throws {
    let server = try serve { _ in response }
    defer { withExtendedLifetime(server) {} }
    try folder.write("before", to: "schema.json")
    let run = download(server.url + "?key=\(Self.secret)", "--output", folder.path("schema.json"))
    #expect(run.status == .problems)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(try folder.text("schema.json") == "before")
  }

  @Test func redirectToOtherOriginOmitsCredentials() throws {
    let result = try Self.introspection()
    let other = try serve { _ in TestServer.response(result) }
    defer { withExtendedLifetime(other) {} }
    let address = other.url
    let server = try serve { request in
      request.path == "/graphql"
        ? TestServer.response("", status: "307 Moved", headers: "Location: /next\r\n")
        : TestServer.response("", status: "308 Moved", headers: "Location: \(address)\r\n")
    }
    defer { withExtendedLifetime(server) {} }
    let run = download(server.url)
    #expect(run.status == .success, "\(run.error)")
    #expect(server.requests.count == 4)
    #expect(server.requests.allSatisfy { $0.headers["authorization"] != nil })
    #expect(other.requests.count == 2)
    #expect(
      other.requests.allSatisfy { $0.headers["authorization"] == nil && $0.body.contains("query") })
  }

  /// Anyone on the network could change the schema.
  @Test(arguments: [301, 302, 307, 308])
  func rejectsRedirectFromHTTPSToHTTP(status: Int) throws {
    let secure = try #require(Endpoint("https://a.test/graphql"))
    let plain = try #require(Endpoint("http://a.test/graphql"))
    func response(_ location: String) -> HTTPResult {
      HTTPResult(status: status, contentType: "", location: location, body: [])
    }
    let error = #expect(throws: DownloadError.insecureRedirect(status: status)) {
      try HTTPClient.target(of: response("http://a.test/graphql"), from: secure)
    }
    let text = try #require(error).diagnostic(endpoint: secure.shown).message
    #expect(text.contains("from https to http"))
    #expect(throws: DownloadError.insecureRedirect(status: status)) {
      try HTTPClient.target(of: response("HTTP://b.test"), from: secure)
    }
    let next = Endpoint("https://b.test/")
    #expect(try HTTPClient.target(of: response("https://b.test/"), from: secure) == next)
    #expect(try HTTPClient.target(of: response("https://b.test/"), from: plain) == next)
    #expect(try HTTPClient.target(of: response("http://a.test/graphql"), from: plain) == plain)
  }

  @Test func limitsNumberOfRedirects() throws {
    let server = try serve { _ in
      TestServer.response("", status: "302 Found", headers: "Location: /graphql\r\n")
    }
    defer { withExtendedLifetime(server) {} }
    #expect(download(server.url).error.contains("redirects too many times"))
    #expect(server.requests.count == HTTPLimits().redirects + 1)
  }

  @Test func limitsDurationAndResponseSize() throws {
    let silent = try serve { _ in nil }
    defer { withExtendedLifetime(silent) {} }
    let large = try serve { _ in TestServer.response(String(repeating: "x", count: 100_000)) }
    defer { withExtendedLifetime(large) {} }
    for (server, expected) in [
      (silent, DownloadError.timeout(seconds: 1)), (large, .tooLarge(limit: 10_000)),
    ] {
      let client = HTTPClient(
        endpoint: try #require(Endpoint(server.url)), headers: [],
        limits: HTTPLimits(seconds: 1, byteCount: 10_000)
      ) { _ in }
      #expect(throws: expected) { try client.post([]) }
    }
  }

  @Test func reportsFailedConnection() throws {
    let port = try ClosedPort()
    defer { withExtendedLifetime(port) {} }
    #expect(download(port.url.absoluteString).error.contains("The connection failed: "))
  }

  @Test(arguments: [
    "A: b\r\nC: d", "A: b\nC", "A: b\u{0}", "A\r: b", ": b", "A b: c", "no colon \(secret)", "",
  ])
  func rejectsMalformedHeader(text: String) {
    #expect(Header(text) == nil)
    let run = ToolRun("download-schema", "--endpoint", "http://a.test", "--header", text)
    #expect(run.status == .usage)
    #expect(!run.error.contains(Self.secret))
  }

  @Test func parsesAndRedactsHeaders() throws {
    #expect(Header("A:b")?.value == "b")
    #expect(Header("X-Key: \t a: b \t")?.value == "a: b")
    #expect(Redaction([try #require(Header("A: Bearer abcdef"))])("x abcdef y") == "x *** y")
  }

  @Test(arguments: [
    ["--endpoint", "http://user:\(secret)@a.test"], ["--endpoint", "ftp://\(secret)"], [secret],
    ["--endpoint", "http://a.test", secret], ["--endpoint", "http://a.test", "-\(secret)"],
    ["--endpoint", "http://a.test", "--header", "A: b", secret],
  ])
  func usageErrorsDoNotContainSecrets(arguments: [String]) {
    let run = ToolRun(["download-schema"] + arguments)
    #expect(run.status == .usage)
    #expect(!run.error.contains(Self.secret))
  }
}
