import Foundation
import GraphClient
import GraphQLRuntime
import GraphWebSocket

/// The checks of one program. Each prints a line, and a failed one makes the program exit with 1.
///
/// The program's argument is the address of the server.
@MainActor final class Checks {
  let endpoint: URL
  private var failures = 0
  /// Nothing listens on the port of this address.
  private static let closedPort = URL(string: "http://127.0.0.1:1/")!

  init() {
    guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
      fatalError("Usage: \(CommandLine.arguments[0]) ENDPOINT")
    }
    endpoint = url
  }

  /// A client that sends each request once.
  func client(
    headers: Graph.Headers = [:], _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.retryPolicy = .none
    configuration.identification = Graph.ClientIdentification(name: "frameworks", version: "1.0")
    configure(&configuration)
    return Graph.Client(endpoint: endpoint, headers: headers, configuration: configuration)
  }

  /// A client that sends everything over the web socket: its HTTP requests fail.
  func socketClient(
    _ subprotocol: Graph.WebSocketSubprotocol,
    payload: Graph.WebSocketSettings.PayloadProvider? = nil
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.retryPolicy = .none
    configuration.webSocket.url = endpoint
    configuration.webSocket.subprotocol = subprotocol
    configuration.webSocket.carriesQueriesAndMutations = true
    configuration.webSocket.connectionPayload = payload
    return Graph.Client(
      endpoint: Self.closedPort, configuration: configuration)
  }

  /// The check fails if the body returns false or throws.
  func check(_ name: String, _ body: () async throws -> Bool) async {
    do {
      if try await body() { return print("ok \(name)") }
      print("FAILED \(name)")
    } catch {
      print("FAILED \(name): \(error)")
    }
    failures += 1
  }

  func finish() -> Never { exit(failures == 0 ? 0 : 1) }
}
