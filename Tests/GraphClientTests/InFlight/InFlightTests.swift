import GraphQLRuntime
import Testing

@testable import GraphClient

struct InFlightTests {
  /// A transport that answers when the test opens it.
  private struct Held {
    let transport: ScriptedTransport
    let arrivals: AsyncStream<Void>
    let open: AsyncStream<Void>.Continuation

    init() {
      let (arrivals, arrived) = AsyncStream<Void>.makeStream()
      let (gate, open) = AsyncStream<Void>.makeStream()
      self.arrivals = arrivals
      self.open = open
      transport = ScriptedTransport { _ in
        arrived.yield()
        for await _ in gate { break }
        try Task.checkCancellation()
        return .shop
      }
    }
  }

  @Test func equalQueriesShareAnAnswer() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let tasks = (0..<5).map { _ in Task { try await client.query(shopQuery()).data?.shop.name } }
    for await _ in held.arrivals { break }
    while client.inFlight.askerCount < 5 { await Task.yield() }
    held.open.yield()
    for task in tasks { #expect(try await task.value == "Shoes") }
    #expect(held.transport.requests.count == 1)
    #expect(client.inFlight.askerCount == 0)
  }

  @Test func oneWhoLeavesDoesNotTakeTheOthersAlong() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let tasks = (0..<2).map { _ in Task { try await client.query(shopQuery()).data?.shop.name } }
    while client.inFlight.askerCount < 2 { await Task.yield() }
    tasks[0].cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await tasks[0].value }
    #expect(error?.isCancellation == true)
    held.open.yield()
    #expect(try await tasks[1].value == "Shoes")
  }

  @Test func theLastToLeaveEndsTheWork() async throws {
    let held = Held()
    let client = Graph.Client.test(held.transport)
    let task = Task { try await client.query(shopQuery()) }
    for await _ in held.arrivals { break }
    task.cancel()
    await #expect(throws: Graph.QueryError.self) { try await task.value }
    // A new query does not join the work that was given up.
    held.open.finish()
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

  @Test func manyWhoComeAndGo() async throws {
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
    #expect(work.askerCount == 0)
  }
}
