import Dispatch
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphClient
@testable import GraphCompatibility

struct GraphTaskTests {
  private typealias Outcome = (data: Storefront.QueryRoot?, error: Graph.LegacyQueryError?)

  /// The calls of a completion handler, in order.
  private struct Calls: Sendable {
    private let stream: AsyncStream<Outcome>
    private let continuation: AsyncStream<Outcome>.Continuation
    let count = Box(0)

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var handler: @MainActor @Sendable (Storefront.QueryRoot?, Graph.LegacyQueryError?) -> Void {
      { data, error in
        count.update { $0 += 1 }
        continuation.yield((data, error))
      }
    }

    func next() async throws -> Outcome {
      var iterator = stream.makeAsyncIterator()
      return try #require(await iterator.next())
    }
  }

  @Test func sendsNoRequestBeforeResume() async throws {
    let transport = ScriptedTransport(.shop)
    let calls = Calls()
    let task = Graph.Client.test(transport)
      .queryGraphWith(shopQuery(), completionHandler: calls.handler)
    #expect(transport.requests.isEmpty)
    task.resume()
    task.resume()
    let (data, error) = try await calls.next()
    #expect(data?.shop.name == "Shoes" && error == nil)
    #expect(transport.requests.count == 1)
  }

  @Test func laterBuilderChangesDoNotAffectTask() async throws {
    let transport = ScriptedTransport(.shop)
    let calls = Calls()
    let query = shopQuery()
    let task = Graph.Client.test(transport)
      .queryGraphWith(query, completionHandler: calls.handler)
    query.shop(alias: "other") { $0.description() }
    task.resume()
    #expect(try await calls.next().data != nil)
  }

  @Test func cancelCallsCompletionOnceWithCancellationError() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _ in
      arrived.yield()
      // Ends when it is cancelled.
      try await Task.sleep(for: .seconds(3600))
      return .shop
    }
    let calls = Calls()
    let task = Graph.Client.test(transport)
      .queryGraphWith(shopQuery(), completionHandler: calls.handler)
    task.resume()
    for await _ in arrivals { break }
    task.cancel()
    task.cancel()
    #expect(try await calls.next().error?.isCancellation == true)
    await MainActor.run {}
    #expect(calls.count.current == 1)
  }

  @MainActor @Test func cancelDropsResponsesQueuedForMainQueue() async {
    let calls = Box<[Graph.LegacyQueryError?]>([])
    let completion = Graph.Completion<Storefront.QueryRoot> { _, error in
      calls.update { $0.append(error) }
    }
    let response = Graph.Response<Storefront.QueryRoot>(.none, source: .network)
    completion.deliver(response)
    completion.finish(.success(response))
    completion.cancel()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(calls.current.count == 1)
    #expect(calls.current.first??.isCancellation == true)
  }

  @Test func cancelBeforeResumeCallsCompletion() async throws {
    let transport = ScriptedTransport(.shop)
    let calls = Calls()
    let task = Graph.Client.test(transport)
      .queryGraphWith(shopQuery(), completionHandler: calls.handler)
    task.cancel()
    task.resume()
    #expect(try await calls.next().error?.isCancellation == true)
    #expect(transport.requests.isEmpty)
  }

  @Test func deliversDataAndErrorsTogether() async throws {
    let transport = ScriptedTransport(
      .json(#"{"data":{"shop":{"name":"Shoes"}},"errors":[{"message":"half"}]}"#))
    let calls = Calls()
    Graph.Client.test(transport)
      .queryGraphWith(shopQuery(), completionHandler: calls.handler).resume()
    let (data, error) = try await calls.next()
    #expect(data?.shop.name == "Shoes")
    guard case .invalidQuery(let reasons) = error else { throw Unexpected(error) }
    #expect(reasons.map(\.message) == ["half"])
  }

  @Test func reportsTaskReleasedWithoutResume() {
    let messages = Box<[String]>([])
    var task: Graph.GraphTask? = Graph.GraphTask(
      name: "the task of query Q", start: {}, onCancel: {},
      onNeglect: { message in messages.update { $0.append(message) } })
    _ = task
    task = nil
    #expect(messages.current.first?.contains("query Q") == true)
    task = Graph.GraphTask(
      name: "another", start: {}, onCancel: {},
      onNeglect: { message in messages.update { $0.append(message) } })
    task?.cancel()
    task = nil
    #expect(messages.current.count == 1)
  }

  @Test func pollingEndsWhenTheConditionFails() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(
      .json(#"{"data":{"shop":{"name":"pending"}}}"#),
      .json(#"{"data":{"shop":{"name":"pending"}}}"#), .shop)
    let calls = Calls()
    let handler = Graph.RetryHandler<Storefront.QueryRoot> { data, _ in data?.shop.name == "pending"
    }
    Graph.Client.test(transport, cachePolicy: .cacheFirst, time: time)
      .queryGraphWith(shopQuery(), retryHandler: handler, completionHandler: calls.handler)
      .resume()
    #expect(try await calls.next().data?.shop.name == "Shoes")
    #expect(transport.requests.count == 3)
    #expect(time.sleeps == [.seconds(2), .seconds(2)])
  }

  @Test func finiteRepeatLimitExcludesFirstRequest() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(.shop)
    let calls = Calls()
    let handler = Graph.RetryHandler<Storefront.QueryRoot>(endurance: .finite(3), interval: 0.5) {
      _, _ in true
    }
    Graph.Client.test(transport, time: time)
      .queryGraphWith(shopQuery(), retryHandler: handler, completionHandler: calls.handler)
      .resume()
    #expect(try await calls.next().data?.shop.name == "Shoes")
    #expect(transport.requests.count == 4)
    #expect(time.sleeps == Array(repeating: .seconds(0.5), count: 3))
  }

  /// The client's retry policy would send four requests for each of the handler's three.
  @Test func handlerAloneDeterminesTheNumberOfRequests() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(.json("busy", status: 503, type: "text/plain"))
    let calls = Calls()
    let handler = Graph.RetryHandler<Storefront.QueryRoot>(endurance: .finite(2)) { _, _ in true }
    Graph.Client.test(transport, time: time)
      .queryGraphWith(shopQuery(), retryHandler: handler, completionHandler: calls.handler)
      .resume()
    #expect(try await calls.next().error != nil)
    #expect(transport.requests.count == 3)
    #expect(time.sleeps == [.seconds(2), .seconds(2)])
  }

  @Test func retryHandlerHasDefaultValues() {
    let handler = Graph.RetryHandler<Storefront.QueryRoot> { _, _ in true }
    #expect(handler.endurance == .infinite)
    #expect(handler.interval == 2)
    #expect(handler.canRetry && handler.repeatCount == 0)
  }

  @Test func retriesMutationWithIdempotencyKey() async throws {
    let transport = ScriptedTransport(
      .json("busy", status: 503, type: "text/plain"),
      .json(#"{"data":{"cartNoteUpdate":{"cart":{"note":"B"}}}}"#))
    let name: String? = await withCheckedContinuation { continuation in
      Graph.Client.test(transport)
        .mutateGraphWith(noteMutation(), idempotencyKey: "key-1") { data, _ in
          continuation.resume(returning: data?.cartNoteUpdate.cart?.note)
        }
        .resume()
    }
    #expect(name == "B")
    #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["key-1", "key-1"])
  }

  @Test func cacheAndNetworkDeliversBothResponses() async throws {
    let transport = ScriptedTransport(.shop, .json(#"{"data":{"shop":{"name":"Boots"}}}"#))
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    _ = try await client.query(shopQuery())
    let calls = Calls()
    client.queryGraphWith(
      shopQuery(), cachePolicy: .cacheAndNetwork, completionHandler: calls.handler
    ).resume()
    #expect(try await calls.next().data?.shop.name == "Shoes")
    #expect(try await calls.next().data?.shop.name == "Boots")
  }

  /// A task of a query with `@defer` gets one whole response, as its completion is called once.
  @Test func deferredDataIsNotDeliveredSeparately() async throws {
    let transport = ScriptedTransport(
      .json(#"{"data":{"node":{"__typename":"Product","id":"p1","title":"Hat"}}}"#))
    let calls = Calls()
    let query = Storefront.buildQuery { root in
      root.node(id: "p1") { node in
        node.id()
        node._directive(GraphQL.Directive<Storefront>("defer"))
        node.onProduct { $0.title() }
      }
    }
    Graph.Client.test(transport).queryGraphWith(query, completionHandler: calls.handler).resume()
    let node = try await calls.next().data?.node
    #expect((node as? Storefront.Product)?.title == "Hat")
    #expect(transport.requests.first?.json["query"].map { "\($0)".contains("@defer") } == true)
    let accepted = try #require(transport.requests.first?.headers["Accept"])
    #expect(!accepted.contains("multipart"))
  }

  @Test func cacheOnlyReportsCacheMiss() async throws {
    let calls = Calls()
    Graph.Client.test(ScriptedTransport(.shop))
      .queryGraphWith(shopQuery(), cachePolicy: .cacheOnly, completionHandler: calls.handler)
      .resume()
    let (data, error) = try await calls.next()
    guard data == nil, case .other(let failure) = error else { throw Unexpected(error) }
    #expect(failure.code == .cacheMiss)
  }

  @Test func reportsInvalidOperation() async throws {
    let transport = ScriptedTransport(.shop)
    let calls = Calls()
    Graph.Client.test(transport)
      .queryGraphWith(
        Storefront.buildQuery(named: "not a name") { _ in }, completionHandler: calls.handler
      ).resume()
    guard case .invalidQuery(let reasons) = try await calls.next().error else {
      throw Unexpected(nil)
    }
    #expect(!reasons.isEmpty && transport.requests.isEmpty)
  }

  @Test func taskUsesConfiguredTimeout() async throws {
    let calls = Calls()
    Graph.Client.test(ScriptedTransport(.shop)) { $0.timeout = .zero }
      .queryGraphWith(shopQuery(), completionHandler: calls.handler).resume()
    guard case .request(let cause) = try await calls.next().error else { throw Unexpected(nil) }
    #expect((cause as? Graph.TransportError)?.code == .timedOut)
  }

  /// The responses to polling are not stored, since the next one would replace them.
  @Test func pollingDoesNotUseTheCache() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    let calls = Calls()
    let handler = Graph.RetryHandler<Storefront.QueryRoot> { _, _ in false }
    client.queryGraphWith(shopQuery(), retryHandler: handler, completionHandler: calls.handler)
      .resume()
    _ = try await calls.next()
    _ = try await client.query(shopQuery())
    #expect(transport.requests.count == 2)
  }
}

private struct Unexpected: Error {
  let error: Graph.LegacyQueryError?

  init(_ error: Graph.LegacyQueryError?) { self.error = error }
}

extension Graph.LegacyQueryError {
  fileprivate var isCancellation: Bool { if case .cancelled = self { true } else { false } }
}
