#if !canImport(Darwin)
  import Foundation
  import GraphClient
  import GraphQLRuntime
  import GraphStore
  import StorefrontAPI
  import TestSupport
  import Testing
  import ServerBehavior

  @testable import GraphOutbox

  /// An outbox with a server that may behave in any way: an operation that the server has carried
  /// out is not rejected, and one that it has never received is not uncertain.
  @Suite(.serialized, .timeLimit(.minutes(10)))
  struct ServerBehaviorTests {
    @Test(arguments: ServerCase.groups)
    func operationStatesMatchWhatTheServerCarriedOut(group: String) async throws {
      for serverCase in ServerCase.all where serverCase.group == group {
        let server = try ScriptedServer(serverCase)
        let outbox = try await outbox(at: server, serverCase)
        if serverCase.warmsUp {
          let first = try await outbox.queue(note("first"), for: cart)
          await outbox.flush()
          try #require(try outbox.state(ofOperation: first) == .received)
          await server.proceed()
        }
        let text = String(repeating: "r", count: serverCase.limits.bodyCount)
        let id = try await outbox.queue(note(text), for: cart)
        await outbox.flush()
        let state = try outbox.state(ofOperation: id)
        let carriedOut = server.carriedOut.filter { $0.contains("\"\(text)\"") }.count
        var states = serverCase.mutation.states
        // On a busy machine the time limit may pass before the request is sent.
        if serverCase.group == "slow servers", carriedOut == 0 {
          states.formUnion([.pending, .waiting])
        }
        #expect(states.contains(state), "\(serverCase.name): \(state)")
        // A server that redirects has received the operation and does not carry it out.
        if serverCase.group != "redirects" {
          #expect(carriedOut <= 1, "\(serverCase.name): carried out \(carriedOut) times")
        }
        if carriedOut == 1, !serverCase.mutation.isRefusal {
          #expect(state != .rejected, "\(serverCase.name)")
        }
        if serverCase.mutation.isNeverSent {
          #expect(state == .pending || state == .waiting, "\(serverCase.name)")
        }
      }
    }

    private let cart = GraphQL.EntityKey(typeName: "Cart", key: "gid://Cart/9")

    private func note(_ text: String) -> Storefront.MutationQuery {
      Storefront.buildMutation(named: "Note") {
        $0.cartNoteUpdate(cartId: "gid://Cart/9", note: text) {
          $0.cart { $0.id().note() }.userErrors { $0.message().code() }
        }
      }
    }

    /// libcurl with the limits of a case.
    private struct Limited: Graph.Transport {
      let transport = Graph.CurlTransport()
      let limits: ServerCase.Limits

      func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
        var request = request
        request.connectTimeout = limits.connect
        request.idleTimeout = limits.idle
        return try await transport.send(request)
      }
    }

    private func outbox(at server: ScriptedServer, _ serverCase: ServerCase) async throws
      -> Graph.Outbox
    {
      var configuration = Graph.ClientConfiguration()
      configuration.timeout = serverCase.limits.total
      configuration.maximumResponseBytes = serverCase.limits.responseBytes
      let client = Graph.Client(
        endpoint: server.url, transport: Limited(limits: serverCase.limits),
        configuration: configuration)
      let store = try Graph.Store(schema: Storefront.schema, file: TemporaryFolder().file())
      var queue = Graph.Outbox.Configuration()
      // Retries are sent after the test.
      queue.backoff = Graph.Backoff(base: .seconds(3_600), maximum: .seconds(3_600))
      return try await Graph.Outbox(store: store, client: client, configuration: queue)
    }
  }

  extension ServerCase.Outcome {
    /// The possible states of an operation that the server carries out every time it is sent.
    fileprivate var states: Set<Graph.OperationState?> {
      switch self {
      case .either(let one, let other): one.states.union(other.states)
      case .error(_, sent: false): [.pending, .waiting]
      case .error(_, sent: true): [.uncertain]
      case .error(_, sent: nil): [.uncertain, .pending, .waiting]
      case .response(200, HTTPBytes.response): [.received]
      case .response(401, _), .response(407, _): [.awaitingCredentials]
      case .response(408, _), .response(429, _): [.pending, .waiting]
      case .response(400..<500, _): [.rejected]
      case .response: [.uncertain]
      }
    }

    /// Whether the server itself reports that it has not carried out the operation.
    fileprivate var isRefusal: Bool {
      switch self {
      case .either(let one, let other): one.isRefusal || other.isRefusal
      case .response(let status, _): (400..<500).contains(status)
      case .error: false
      }
    }

    fileprivate var isNeverSent: Bool {
      switch self {
      case .either(let one, let other): one.isNeverSent && other.isNeverSent
      case .error(_, let sent): sent == false
      case .response: false
      }
    }
  }
#endif
