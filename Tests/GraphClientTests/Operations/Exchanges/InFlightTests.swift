import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

struct InFlightTests {
  /// A transport that responds when the test opens it.
  private struct Held {
    let transport: ScriptedTransport
    private let isOpen: Box<Bool>

    init() {
      let isOpen = Box(false)
      self.isOpen = isOpen
      transport = ScriptedTransport { _ in
        while !isOpen.current {
          try Task.checkCancellation()
          await Task.yield()
        }
        return .shop
      }
    }

    func open() { isOpen.update { $0 = true } }
  }

  private func name(_ client: Graph.Client) -> Task<String?, any Error> {
    Task { try await client.query(shopQuery()).data?.shop.name }
  }

  /// One caller whose request is in progress, and `count` callers that wait for its response.
  private func callers(
    _ client: Graph.Client, _ held: Held, waiting count: Int
  ) async throws -> (first: Task<String?, any Error>, others: [Task<String?, any Error>]) {
    let first = name(client)
    try await wait { held.transport.requests.count == 1 }
    let others = (0..<count).map { _ in name(client) }
    try await wait { client.inFlight.callerCount == 1 + count }
    return (first, others)
  }

  @Test func equalQueriesShareAResponse() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let tasks = (0..<5).map { _ in name(client) }
    try await wait { client.inFlight.callerCount == 5 }
    held.open()
    for task in tasks { #expect(try await task.value == "Shoes") }
    #expect(held.transport.requests.count == 1)
    #expect(client.inFlight.callerCount == 0)
  }

  @Test func cancellingAWaitingCallerKeepsTheRequest() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let (first, others) = try await callers(client, held, waiting: 2)
    others[0].cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await others[0].value }
    #expect(error?.code == .cancelled)
    #expect(client.inFlight.callerCount == 2)
    held.open()
    #expect(try await first.value == "Shoes")
    #expect(try await others[1].value == "Shoes")
    #expect(held.transport.requests.count == 1)
  }

  @Test func cancellingTheSendingCallerStartsAnotherRequest() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let (first, others) = try await callers(client, held, waiting: 3)
    first.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await first.value }
    #expect(error?.code == .cancelled)
    try await wait { held.transport.requests.count == 2 && client.inFlight.callerCount == 3 }
    held.open()
    for task in others { #expect(try await task.value == "Shoes") }
    #expect(held.transport.requests.count == 2)
    #expect(client.inFlight.callerCount == 0)
  }

  @Test func cancellingTheLastCallerEndsTheRequest() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let task = name(client)
    try await wait { held.transport.requests.count == 1 }
    task.cancel()
    await #expect(throws: Graph.QueryError.self) { try await task.value }
    // A new query does not join a request that was given up.
    held.open()
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    #expect(held.transport.requests.count == 2)
  }

  @Test func mutationsAreNotShared() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"rename":{"name":"B"}}}"#))
    let client = Graph.Client.test(transport)
    async let one = client.mutate(renameMutation())
    async let two = client.mutate(renameMutation())
    _ = try await (one, two)
    #expect(transport.requests.count == 2)
  }

  @Test func concurrentCancellationsLeaveNoWaitingCallers() async throws {
    let work = Graph.InFlight<Int, Int>()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<2000 {
        group.addTask {
          let task = Task {
            try await work.value(for: index % 7) {
              await Task.yield()
              return index % 7
            }
          }
          if index % 2 == 0 { task.cancel() }
          if let value = try? await task.value { #expect(value == index % 7) }
        }
      }
    }
    #expect(work.callerCount == 0)
  }
}
