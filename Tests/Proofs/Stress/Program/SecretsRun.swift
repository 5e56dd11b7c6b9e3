import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import GraphWebSocket
import StorefrontAPI

/// Passes a token to every API, causes errors of every kind, and shows them in every way in which
/// an application does. `Tests/run stress-secrets` searches its output, the files below its
/// folder and the text of its crash at the end for the token.
struct SecretsRun {
  /// Escaping changes its characters in different ways.
  static let canary = "CANARY+b1rd/5ecret=="

  let folder: URL
  /// Whether the token is written on purpose, to check that it is found.
  let leaks: Bool

  func run() async throws {
    if leaks { return try leak() }
    var shown = 0
    for scene in [
      responses, transport, refusals, webSockets, store, outbox,
    ] { shown += try await scene() }
    say("\(shown) errors and values shown")
    try await crash()
  }

  private func leak() throws {
    say("token: \(Self.canary)")
    try Data(Data(Self.canary.utf8).base64EncodedString().utf8)
      .write(to: folder.appending(path: "base64"))
    let encoded = Self.canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    try Data(encoded.utf8).write(to: folder.appending(path: "percent"))
  }

  // MARK: Clients

  /// A client that has the token in every place where one is possible.
  private func client(
    _ endpoint: String, transport: (any Graph.Transport)? = nil,
    store: (any GraphQL.ResponseStore)? = nil,
    _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.DiskStorage(directory: folder.appending(path: "responses"))
    configuration.retryPolicy = Graph.RetryPolicy(
      maximumAttempts: 2, backoff: Graph.Backoff(base: .milliseconds(1), maximum: .seconds(30)),
      maximumServerDelay: .milliseconds(10))
    configuration.webSocket.connectionPayload = { _ in ["token": .string(Self.canary)] }
    configure(&configuration)
    let password = Self.canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    var parts = URLComponents(string: endpoint)!
    parts.user = "user"
    parts.percentEncodedPassword = password
    parts.percentEncodedQuery = "key=\(password)"
    let headers: Graph.Headers = [
      "X-Api-Key": Self.canary, "Cookie": "session=\(Self.canary)", "X-Run": UUID().uuidString,
      "X-Shopify-Storefront-Access-Token": Self.canary,
    ]
    let refresher = Graph.TokenRefresher(token: Self.canary) { "again-\(Self.canary)" }
    return Graph.Client(
      endpoint: parts.url!, headers: headers, transport: transport, cachePolicy: .cacheFirst,
      interceptors: [refresher, Show()], store: store, configuration: configuration)
  }

  private var customer: Storefront.QueryRootQuery {
    Storefront.buildQuery(named: "Customer") {
      $0.customer(accessToken: Self.canary) { $0.id().email() }
    }
  }

  private func port(_ name: String) -> String {
    guard let port = ProcessInfo.processInfo.environment[name] else {
      fail("run Tests/run stress-secrets, which starts the servers")
    }
    return port
  }

  /// Sends a query in three forms, and shows the responses.
  private func ask(
    _ endpoint: String, transport: (any Graph.Transport)? = nil,
    _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) async -> Int {
    let client = client(endpoint, transport: transport, configure)
    show(client)
    var count = 1
    for query in [customer, Notes.shop] {
      do {
        let response = try await client.query(query, timeout: .milliseconds(1500))
        show(response.errors)
        show(response.source)
        if let error = response.error { show(error) }
      } catch { show(error) }
      count += 1
    }
    do {
      let response = try await client.mutate(
        Notes.mutation("cart/1", Self.canary), timeout: .milliseconds(1500))
      show(response.errors)
    } catch { show(error) }
    await listen(client, .serverSentEvents)
    return count + 2
  }

  /// Shows a subscription's events, and its end, for at most a second.
  private func listen(_ client: Graph.Client, _ form: Graph.SubscriptionProtocol) async {
    let orders = Storefront.buildSubscription { $0.orderUpdated(id: "order/1") { $0.number() } }
    let listener = Task {
      do {
        for try await event in client.subscribe(orders, over: form) { show(event.errors) }
      } catch { show(error) }
    }
    let timeout = Task {
      try await Task.sleep(for: .seconds(1))
      listener.cancel()
    }
    await listener.value
    timeout.cancel()
  }

  // MARK: Scenes

  /// A valid response to an operation whose arguments contain the token.
  private func responses() async throws -> Int {
    let client = client(
      "https://shop.example/graphql",
      transport: FakeShop { _ in (200, [:], #"{"data":{"customer":{"id":"c1","email":"e"}}}"#) })
    show(try customer.operation())
    let response = try await client.query(customer)
    show(response)
    show(response.data as Any)
    show(response.data?.customer as Any)
    return 4
  }

  /// URLSession with the proxy that injects faults, and with addresses at which nothing listens.
  private func transport() async throws -> Int {
    var count = 0
    let (server, faults) = (port("GRAPH_TEST_SERVER"), port("GRAPH_TEST_FAULTS"))
    let proxied = [
      "pass", "429", "502", "503", "reset", "close", "slow", "dripping", "gzip", "type", "html",
      "empty", "307",
    ].map { "http://127.0.0.1:\(faults)/\($0)/shop/" }
    let others = [
      "http://127.0.0.1:\(server)/nowhere", "https://127.0.0.1:\(server)/shop/",
      "http://127.0.0.1:1/", "http://no-such-host.invalid/", "ftp://127.0.0.1/",
      "http://127.0.0.1:\(server)/private/store/",
    ]
    for address in proxied + others { count += await ask(address) }
    let address = "http://127.0.0.1:\(server)/shop/"
    count += await ask(address) { $0.persistedQueries = .post }
    count += await ask(address) { $0.batching = Graph.BatchPolicy(window: .milliseconds(1)) }
    count += await ask(address) { $0.maximumResponseBytes = 10 }
    let broken = Graph.Client(
      endpoint: URL(string: address)!, headers: ["Authorization": "\(Self.canary)\r\nX: y"])
    do { _ = try await broken.query(customer) } catch { show(error) }
    return count + 1
  }

  /// Responses that repeat the token, as careless servers send them.
  private func refusals() async throws -> Int {
    let c = Self.canary
    let responses: [(Int, Graph.Headers, String)] = [
      (401, ["WWW-Authenticate": "Bearer \(c)"], "<p>\(c)</p>"),
      (403, ["Set-Cookie": "session=\(c)", "Content-Type": "text/html"], "<p>\(c)</p>"),
      (500, [:], #"{"token":"\#(c)"}"#),
      (200, [:], #"{"data":{"customer":{"id":"1","email":["\#(c)"]}}}"#),
      (200, [:], #"{"data":{"customer":"\#(c)"}}"#),
      (200, [:], #"{"data":"\#(c)"}"#),
      (200, [:], #"{"\#(c)":"\#(c)"}"#),
      (200, [:], #"["\#(c)"]"#),
      (200, [:], #"{"data":{"customer":{"id":"1","email":"\#(c)"}}"#),
      (200, [:], c),
      (200, ["Content-Type": "text/html"], "<p>\(c)</p>"),
      (302, ["Location": "http://\(c)/\(c)"], ""),
      (429, ["X-Retry": c], ""),
      (200, [:], #"{"data":{"customer":{"id":"1","email":"\#(c)"}}}"#),
      (
        200, [:],
        #"{"data":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
      ),
      (200, ["Content-Type": "text/event-stream"], "event: next\ndata: \(c)\n\n"),
      (200, ["Content-Type": "multipart/mixed; boundary=x"], "\(c)\r\n--x\r\n\(c)"),
    ]
    var count = 0
    for response in responses {
      count += await ask("https://shop.example/graphql", transport: FakeShop { _ in response })
    }
    return count
  }

  private func webSockets() async throws -> Int {
    let (server, faults) = (port("GRAPH_TEST_SERVER"), port("GRAPH_TEST_FAULTS"))
    let addresses = [
      "http://127.0.0.1:\(server)/shop/", "http://127.0.0.1:\(server)/nowhere",
      "http://127.0.0.1:\(server)/private/store/", "http://127.0.0.1:\(faults)/close/shop/",
      "http://127.0.0.1:\(faults)/html/shop/", "http://127.0.0.1:1/",
      "http://no-such-host.invalid/", "https://127.0.0.1:\(server)/shop/",
    ]
    for address in addresses { await listen(client(address), .webSocket) }
    return addresses.count
  }

  /// Sensitive objects in the file, and errors in JSON that is written; then a logout.
  private func store() async throws -> Int {
    let store = try Graph.Store(
      schema: Storefront.schema, file: folder.appending(path: "customer.store"))
    let response = #"{"data":{"customer":{"id":"c1","email":"\#(Self.canary)"}}}"#
    let client = client(
      "https://shop.example/graphql", transport: FakeShop { _ in (200, [:], response) },
      store: store)
    let email = try await client.query(customer).data?.customer?.email
    require(email == Self.canary, "the customer was not stored")
    let stored = try await client.query(customer, cachePolicy: .cacheOnly).data?.customer?.email
    require(stored == Self.canary, "the customer cannot be read")
    show(store)
    let texts = [
      Self.canary, #"{"id":"c2","email":["\#(Self.canary)"]}"#, #"{"id":["\#(Self.canary)"]}"#,
      #"{"email":"\#(Self.canary)"}"#, #"{"\#(Self.canary)":1}"#, #"{"id":"\#(Self.canary)""#,
    ]
    for text in texts {
      do {
        show(try await store.write(json: Array(text.utf8), as: Storefront.Customer.self).isEmpty)
      } catch { show(error) }
    }
    _ = try await store.logout()
    return texts.count + 1
  }

  /// An operation whose arguments contain the token, in every possible state; then a logout.
  private func outbox() async throws -> Int {
    let store = try Graph.Store(
      schema: Storefront.schema, file: folder.appending(path: "outbox.store"))
    let responses = Locked<[(Int, Graph.Headers, String)]>([
      (503, ["Retry-After": "0"], Self.canary), (500, [:], Self.canary), (401, [:], Self.canary),
      (200, [:], #"{"data":{"customerAddressCreate":{"userErrors":[{"message":"no"}]}}}"#),
      (400, [:], Self.canary),
    ])
    let client = client(
      "https://shop.example/graphql",
      transport: FakeShop { _ in
        responses.withLock { $0.isEmpty ? (404, [:], "") : $0.removeFirst() }
      })
    var configuration = Graph.Outbox.Configuration()
    configuration.backoff = Graph.Backoff(base: .zero, maximum: .zero)
    let outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
    let steps = outbox.transitions()
    let mutation = Storefront.buildMutation(named: "Address") {
      $0.customerAddressCreate(accessToken: Self.canary, address: .init()) {
        $0.userErrors { $0.message() }
      }
    }
    for number in 0..<5 {
      let key = GraphQL.EntityKey(typeName: "Customer", key: "c\(number)")
      let id = try await outbox.queue(mutation, for: key)
      await outbox.flush()
      show(try outbox.state(ofOperation: id) as Any)
      try await outbox.credentialsRenewed()
      await outbox.flush()
    }
    show(try outbox.receipts())
    show(try outbox.summary())
    show(outbox)
    do { try await outbox.retry(Self.canary) } catch { show(error) }
    do { try await outbox.cancel(Self.canary) } catch { show(error) }
    show(try await store.logout())
    var count = 0
    for await step in steps {
      show(step)
      count += 1
      if count == 12 { break }
    }
    return count + 10
  }

  /// Reads a field that was not selected, of a response to an operation with the token.
  private func crash() async throws {
    let response = #"{"data":{"customer":{"id":"c1","email":"\#(Self.canary)"}}}"#
    let client = client(
      "https://shop.example/graphql", transport: FakeShop { _ in (200, [:], response) })
    let customer = try await client.query(customer, cachePolicy: .networkOnly).data?.customer
    say(customer?.firstName ?? "the program did not crash")
  }
}

/// Every way in which an application, or a person with a debugger, shows a value.
private func show(_ value: Any) {
  var dumped = ""
  dump(value, to: &dumped)
  var ways = [String(describing: value), String(reflecting: value), "\(value)", dumped]
  if let error = value as? any Error {
    ways.append(error.localizedDescription)
    ways.append("\(error as NSError) \((error as NSError).userInfo)")
  }
  for text in ways { say(text) }
}

/// Shows the values that interceptors receive, since they may log them.
private struct Show: Graph.Interceptor {
  func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    show(request)
    do {
      let response = try await next(request)
      show(response)
      return response
    } catch {
      show(error)
      throw error
    }
  }
}
