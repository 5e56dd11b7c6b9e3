import GraphJSON
import GraphQLExecution
import GraphQLSchema
import Testing

/// Extreme documents, variables and schemas get a response, in a short time.
struct AdversarialExecutionTests {
  private static let sdl = """
    type Query { self: Query, list: [Query!]!, leaf: Int, take(a: A): Int }
    input A { a: A, n: Int = 1 }
    """

  private func harness() throws -> ExecutionHarness {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers["Query", "self"] = { _ in .json([:]) }
    harness.resolvers["Query", "list"] = { _ in .json([[:], [:], [:]]) }
    return harness
  }

  @Test func executesLongFragmentChainWithoutRecursion() async throws {
    let count = 20_000
    var text = "{ ...F0 }"
    for number in 0..<count { text += " fragment F\(number) on Query { ...F\(number + 1) }" }
    text += " fragment F\(count) on Query { leaf }"
    let result = try await harness().run(text, root: ["leaf": 1], validate: false)
    #expect(result.data == ["leaf": 1])
  }

  @Test func rejectsTooDeepResponse() async throws {
    var text = "{ ...F0 }"
    for number in 0..<2_000 {
      text += " fragment F\(number) on Query { self { ...F\(number + 1) } }"
    }
    text += " fragment F2000 on Query { leaf }"
    let result = try await harness().run(text, validate: false)
    #expect(result.errors.map(\.message) == ["The response is nested more than 256 levels deep."])
    #expect(result.errors[0].path?.elements.count == ExecutionLimits().maximumDepth)
  }

  @Test func terminatesForCyclicFragments() async throws {
    let result = try await harness().run(
      "{ ...F } fragment F on Query { leaf ...F self { ...F } }", validate: false)
    #expect(result.errors.count == 1)
  }

  @Test func rejectsResponseThatDoublesPerLevel() async throws {
    var harness = try harness()
    harness.limits.maximumPositions = 10_000
    var text = "{ ...F0 }"
    for number in 0..<40 {
      let next = "...F\(number + 1)"
      text += " fragment F\(number) on Query { a: self { \(next) } b: self { \(next) } }"
    }
    text += " fragment F40 on Query { leaf }"
    let result = try await harness.run(text)
    #expect(result.errors.map(\.message) == ["The response has more than 10000 values."])
    #expect(result.data == .null)
  }

  @Test func rejectsResponseWithTooManyListItems() async throws {
    var harness = try harness()
    harness.limits.maximumPositions = 1_000
    var text = "leaf"
    for _ in 0..<30 { text = "list { \(text) }" }
    let result = try await harness.run("{ \(text) }")
    #expect(result.data == .null)
    #expect(result.errors.count == 1)
  }

  @Test func limitsDepthOfVariables() async throws {
    var value: JSON = [:]
    for _ in 0..<400 { value = ["a": value] }
    let query = "query($a: A) { take(a: $a) }"
    #expect(try await harness().run(query, variables: ["a": value]).data == ["take": nil])
    for _ in 0..<200 { value = ["a": value] }
    let refused = try await harness().run(query, variables: ["a": value])
    #expect(refused.data == nil && refused.errors.count == 1)
  }

  @Test func rejectsExponentiallyGrowingDefaultValues() async throws {
    var sdl = "type Query { take(a: I0 = {}): Int } input I40 { n: Int }"
    for number in 0..<40 {
      sdl += " input I\(number) { a: I\(number + 1) = {}, b: I\(number + 1) = {} }"
    }
    let result = try await ExecutionHarness(sdl).run("{ take }")
    #expect(result.data == ["take": nil])
    #expect(result.errors.count == 1)
  }

  @Test func rejectsLongChainOfDefaultValues() async throws {
    var sdl = "type Query { take(a: I0 = {}): Int } input I5000 { n: Int }"
    for number in 0..<5_000 { sdl += " input I\(number) { a: I\(number + 1) = {} }" }
    let result = try await ExecutionHarness(sdl).run("{ take }")
    #expect(result.data == ["take": nil])
    #expect(result.errors.count == 1)
  }
}
