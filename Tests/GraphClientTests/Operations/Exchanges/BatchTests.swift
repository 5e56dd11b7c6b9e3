import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct BatchTests {
  /// Returns a response with the name of each operation of a batch.
  private func response(_ request: Graph.HTTPRequest) -> Graph.HTTPResponse {
    func one(_ body: JSON) -> String {
      guard case .string(let name)? = body["operationName"] else { return "{}" }
      return #"{"data":{"shop":{"name":"\#(name)"}}}"#
    }
    guard case .array(let bodies) = request.json else { return .json(one(request.json)) }
    return .json("[\(bodies.map(one).joined(separator: ","))]")
  }

  private func query(_ name: String) -> Store.QueryRootQuery {
    Store.buildQuery(named: name) { $0.shop { $0.name() } }
  }

  @Test func operationsShareARequest() async throws {
    let transport = ScriptedTransport { [response] in response($0) }
    let client = Graph.Client.test(transport, time: PatientTime()) {
      $0.batching = Graph.BatchPolicy(maximumCount: 5)
    }
    let names = try await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<10 {
        group.addTask {
          try await client.query(self.query("Q\(index)")).data?.shop.name
        }
      }
      return try await group.reduce(into: [String?]()) { $0.append($1) }
    }
    #expect(Set(names) == Set((0..<10).map { "Q\($0)" }))
    #expect(transport.requests.count == 2)
  }

  /// A transport may repeat an idempotent operation, but a batch only as a whole.
  @Test(arguments: [false, true])
  func batchWithAMutationIsNotIdempotent(hasMutation: Bool) async throws {
    let transport = ScriptedTransport { [response] in response($0) }
    let client = Graph.Client.test(transport, time: PatientTime()) {
      $0.batching = Graph.BatchPolicy(maximumCount: 2)
    }
    let first = Task { _ = try? await client.query(query("A")) }
    let second = Task {
      if hasMutation {
        _ = try? await client.mutate(Store.buildMutation { $0.rename(name: "Boots") { $0.name() } })
      } else {
        _ = try? await client.query(query("B"))
      }
    }
    await first.value
    await second.value
    #expect(transport.requests.map(\.isIdempotent) == [!hasMutation])
  }

  @Test func singleOperationIsSentWithoutABatch() async throws {
    let transport = ScriptedTransport { [response] in response($0) }
    let client = Graph.Client.test(transport) { $0.batching = Graph.BatchPolicy() }
    #expect(try await client.query(query("Alone")).data?.shop.name == "Alone")
    #expect(transport.bodies.first?["operationName"] == "Alone")
  }

  @Test func errorOfABatchReachesEveryCaller() async throws {
    let transport = ScriptedTransport(.json("no batches", status: 400, type: "text/plain"))
    let client = Graph.Client.test(transport, time: PatientTime()) {
      $0.batching = Graph.BatchPolicy(maximumCount: 2)
    }
    let tasks = ["A", "B"].map { name in Task { _ = try await client.query(query(name)) } }
    for (task, name) in zip(tasks, ["A", "B"]) {
      let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
      #expect(error?.code == .status && error?.request?.name == name)
    }
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [
    (#"{"data":null}"#, Graph.QueryError.Code.protocolViolation),
    (#"[{"data":null,"errors":[]}]"#, .malformedResponse),
  ])
  func invalidBatchResponseFailsEveryOperation(
    _ text: String, _ code: Graph.QueryError.Code
  ) async throws {
    let transport = ScriptedTransport(.json(text))
    let client = Graph.Client.test(transport, time: PatientTime()) {
      $0.batching = Graph.BatchPolicy(maximumCount: 2)
    }
    let tasks = ["A", "B"].map { name in Task { _ = try await client.query(query(name)) } }
    for task in tasks {
      let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
      #expect(error?.code == code && error?.response?.text == text)
    }
  }

  /// A gateway reports the errors that concern all operations once.
  @Test func errorsOfAGatewayAreThoseOfEveryOperation() async throws {
    let refused = #"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let transport = ScriptedTransport { [response] request in
      request.headers["Authorization"] == "Bearer new" ? response(request) : .json(refused)
    }
    let client = Graph.Client.test(
      transport, interceptors: [Graph.TokenRefresher(token: "old") { "new" }], time: PatientTime()
    ) { $0.batching = Graph.BatchPolicy(maximumCount: 2) }
    async let first = client.query(query("A")).data?.shop.name
    async let second = client.query(query("B")).data?.shop.name
    #expect(try await [first, second] == ["A", "B"])
    #expect(transport.requests.count == 2)
  }

  @Test func aByteOrderMarkBeforeABatchIsIgnored() async throws {
    let transport = ScriptedTransport { [response] request in
      let text = try await response(request).body.collect(upTo: 1_000)
      return .json("\u{FEFF}" + String(decoding: text, as: UTF8.self))
    }
    let client = Graph.Client.test(transport, time: PatientTime()) {
      $0.batching = Graph.BatchPolicy(maximumCount: 2)
    }
    async let first = client.query(query("A")).data?.shop.name
    async let second = client.query(query("B")).data?.shop.name
    #expect(try await [first, second] == ["A", "B"])
  }
}

/// Time in which a window never closes: batches are sent when they are full.
private final class PatientTime: Graph.TimeSource {
  var now: Graph.Timestamp { .now }
  func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
  func random() -> Double { 0 }
}
