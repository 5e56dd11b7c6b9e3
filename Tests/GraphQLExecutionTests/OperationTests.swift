import GraphJSON
import GraphQLExecution
import GraphQLSchema
import Testing

/// Sections 6.1 and 6.2.
struct OperationTests {
  private static let sdl = """
    type Query { a: Int }
    type Mutation { add(n: Int!): State!, fail: State! }
    type State { total: Int, later: Int }
    type Subscription { ticks(count: Int!): Int, none: Int }
    """

  @Test(
    arguments: [
      ("query A { a } query B { x: a }", "B", #"{"data":{"x":1}}"#),
      ("query A { a }", nil, #"{"data":{"a":1}}"#),
    ] as [(String, String?, String)])
  func selectsOperationByName(_ document: String, _ name: String?, _ expected: String) async throws
  {
    let result = try await ExecutionHarness(Self.sdl).run(
      document, operationName: name, root: ["a": 1])
    #expect(result.json.description == expected)
  }

  @Test(
    arguments: [
      ("query A { a } query B { a }", nil), ("query A { a }", "C"), ("query A { a }", ""),
      ("fragment F on Query { a }", nil), ("subscription { ticks(count: 1) }", nil),
    ] as [(String, String?)])
  func rejectsUnknownOrAmbiguousOperation(_ document: String, _ name: String?) async throws {
    let result = try await ExecutionHarness(Self.sdl).run(
      document, operationName: name, validate: false)
    #expect(result.data == nil)
    #expect(result.errors.count == 1)
    #expect(result.json["data"] == nil)
  }

  @Test func aMissingRootTypeIsARequestError() async throws {
    let result = try await ExecutionHarness("type Query { a: Int }").run(
      "mutation { a }", validate: false)
    #expect(result.data == nil && result.errors.count == 1)
  }

  private actor Counter {
    private(set) var total = 0
    private(set) var log: [String] = []

    func note(_ step: String) { log.append(step) }

    func add(_ number: Int) -> Int {
      total += number
      return total
    }
  }

  @Test func runsMutationFieldsSerially() async throws {
    var harness = try ExecutionHarness(Self.sdl)
    let counter = Counter()
    harness.resolvers["Mutation", "add"] = { context in
      guard case .number(let n)? = context.arguments["n"] else { return .null }
      await counter.note("add \(n)")
      await Task.yield()
      return .json(["total": JSON(await counter.add(Int(n.int32 ?? 0)))])
    }
    harness.resolvers["State", "later"] = { _ in
      await counter.note("later")
      return .json(JSON(await counter.total))
    }
    let result = try await harness.run(
      "mutation { first: add(n: 1) { total later } second: add(n: 10) { later total } }")
    #expect(
      result.data == [
        "first": ["total": 1, "later": 1], "second": ["later": 11, "total": 11],
      ])
    #expect(await counter.log == ["add 1", "later", "add 10", "later"])
  }

  // MARK: Subscriptions

  private func subscription() throws -> ExecutionHarness {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers[eventsOf: "ticks"] = { context in
      guard case .number(let count)? = context.arguments["count"], let count = count.int32,
        count > 0
      else { throw ExecutionError("nothing to count") }
      return AsyncThrowingStream { continuation in
        for tick in 1...count {
          continuation.yield(.json(["ticks": tick == 2 ? "two" : JSON(tick)]))
        }
        continuation.finish()
      }
    }
    return harness
  }

  private func subscribe(_ text: String, _ variables: JSON.Object = [:]) async throws
    -> ResponseStream
  {
    let document = try Document(parsing: Source(name: "document", text: text))
    return try await subscription().executor.subscribe(document, variables: variables)
  }

  @Test func executesEachSubscriptionEvent() async throws {
    var results: [String] = []
    for try await result in try await subscribe(
      "subscription($n: Int!) { t: ticks(count: $n) }", ["n": 3])
    {
      results.append(result.data?.description ?? "")
      #expect(result.errors.isEmpty == (results.count != 2))
    }
    #expect(results == [#"{"t":1}"#, #"{"t":null}"#, #"{"t":3}"#])
  }

  @Test(
    arguments: [
      ("subscription { ticks(count: 0) }", "ticks"), ("subscription { none }", "none"),
      ("subscription($n: Int!) { ticks(count: $n) }", nil), ("{ a }", nil),
      ("subscription { __typename }", "__typename"), ("subscription { ticks }", "ticks"),
    ] as [(String, String?)])
  func reportsErrorOfFailedSubscription(_ text: String, _ path: String?) async throws {
    let failure = await #expect(throws: SubscriptionFailure.self) { try await subscribe(text) }
    let error = try #require(failure?.result.errors.first)
    #expect(failure?.result.data == nil)
    #expect(error.path?.description == path)
    if path != nil { #expect(error.locations == [.init(line: 1, column: 16)]) }
  }
}
