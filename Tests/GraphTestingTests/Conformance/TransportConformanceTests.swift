import Foundation
import GraphClient
import GraphJSON
import GraphTesting
import Testing

struct TransportConformanceTests {
  @Test func mockEndpointPassesTheConformanceChecks() async throws {
    let conformance = TransportConformance { service in
      let endpoint = try MockEndpoint(schema: Shop.schema) { request in
        switch service {
        case .echo: [.response(echo(of: request.http))]
        case .script(let script): faults(of: script)
        }
      }
      return TransportConformance.Subject(transport: endpoint, url: Shop.url)
    }
    let outcomes = await conformance.run()
    #expect(outcomes.count == TransportConformance.checks.count)
    for outcome in outcomes { #expect(outcome.failure == nil, "\(outcome)") }
  }

  /// Responds to everything at once with nothing, and never fails.
  private struct IdleTransport: Graph.Transport {
    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      Graph.HTTPResponse(status: 200, url: request.url, body: .init([]))
    }
  }

  @Test func transportWithEmptyResponsesFailsTheChecks() async {
    let conformance = TransportConformance { _ in
      .init(transport: IdleTransport(), url: Shop.url)
    }
    let passed = await conformance.run().filter { $0.failure == nil }.map(\.check)
    #expect(
      passed == [
        "an empty body contains no bytes", "the transport remains usable after a body is dropped",
      ])
  }

  /// Follows every redirect with the complete request, to a port at which nothing responds.
  private struct TrustingTransport: Graph.Transport {
    let base: any Graph.Transport

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      let response = try await base.send(request)
      guard response.status == 307 else { return response }
      throw Graph.TransportError(.cannotConnect, message: "nothing responds there")
    }
  }

  @Test func redirectingABodyToAnotherOriginFailsACheck() async throws {
    let conformance = TransportConformance { service in
      let endpoint = try MockEndpoint(schema: Shop.schema) { request in
        switch service {
        case .echo: [.response(echo(of: request.http))]
        case .script(let script): faults(of: script)
        }
      }
      return .init(transport: TrustingTransport(base: endpoint), url: Shop.url)
    }
    let failed = await conformance.run().filter { $0.failure != nil }.map(\.check)
    #expect(failed == ["a redirect does not send the body to another origin"])
  }

  /// Never responds, not even to a cancellation.
  private struct DeafTransport: Graph.Transport {
    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return Graph.HTTPResponse(status: 200, url: request.url, body: .init([]))
    }
  }

  @Test func hangingTransportFailsEveryCheck() async {
    let conformance = TransportConformance(patience: .milliseconds(1)) { _ in
      .init(transport: DeafTransport(), url: Shop.url)
    }
    let outcomes = await conformance.run()
    #expect(outcomes.allSatisfy { $0.failure?.contains("longer than") == true })
  }
}

private func echo(of request: Graph.HTTPRequest) -> MockResponse {
  var body = ""
  if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
  var headers = JSON.Object()
  for field in request.headers.fields { headers[field.name.lowercased()] = .string(field.value) }
  let json: JSON = [
    "method": .string(request.method.rawValue), "body": .string(body), "headers": .object(headers),
  ]
  return MockResponse(status: 200, body: Array(json.description.utf8))
}

private func faults(of script: TransportConformance.Script) -> [MockFault] {
  let response = MockResponse(status: script.status, headers: script.headers, body: script.body)
  let faults: [MockFault] = [.delay(script.delay), .response(response)]
  return switch script.end {
  case .complete: faults
  case .lost: faults + [.cutOff(afterBytes: script.body.count)]
  case .stalled: faults + [.stall(afterBytes: script.body.count)]
  }
}
