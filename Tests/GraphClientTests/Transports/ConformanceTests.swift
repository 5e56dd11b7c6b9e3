import Foundation
import GraphClient
import GraphJSON
import GraphTesting
import Loopback
import Testing

struct ConformanceTests {
  @Test(arguments: TransportKind.allCases)
  func transportPassesTheConformanceChecks(kind: TransportKind) async throws {
    let transport = kind.make()
    let servers = Servers()
    let conformance = TransportConformance { service in
      let server = try LoopbackServer { request, connection in
        switch service {
        case .echo: connection.response(body: request.echo)
        case .script(let script): connection.follow(script)
        }
      }
      await servers.keep(server)
      return TransportConformance.Subject(transport: transport, url: server.url())
    }
    let outcomes = await conformance.run()
    #expect(outcomes.count == TransportConformance.checks.count)
    for outcome in outcomes { #expect(outcome.failure == nil, "\(outcome)") }
  }

  /// Keeps the servers listening until the end of the test.
  private actor Servers {
    private var servers: [LoopbackServer] = []

    func keep(_ server: LoopbackServer) { servers.append(server) }
  }
}

extension LoopbackServer.Request {
  fileprivate var echo: String {
    let headers = JSON.Object(
      self.headers.map { JSON.Object.Member(key: $0.key, value: .string($0.value)) })
    let json: JSON = [
      "method": .string(method), "headers": .object(headers),
      "body": .string(String(decoding: body, as: UTF8.self)),
    ]
    return json.description
  }
}

extension LoopbackConnection {
  fileprivate func follow(_ script: TransportConformance.Script) {
    // Every delay of the suite is longer than any wait.
    if script.delay > .zero { return waitForClose() }
    let missing = if case .complete = script.end { 0 } else { 1 }
    var lines = [
      "HTTP/1.1 \(script.status) Scripted", "Content-Length: \(script.body.count + missing)",
    ]
    lines += script.headers.fields.map { "\($0.name): \($0.value)" }
    write(lines.joined(separator: "\r\n") + "\r\n\r\n")
    write(script.body)
    switch script.end {
    case .complete: break
    case .lost: close()
    case .stalled: waitForClose()
    }
  }
}
