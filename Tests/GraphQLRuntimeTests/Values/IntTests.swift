import GraphQLRuntime
import Testing

/// GraphQL's Int has 32 bits (specification: 3.5.1 Int), Swift's mostly 64.
@Suite struct IntTests {
  private static let problem = "the integer needs more than the 32 bits of GraphQL's Int"
  static let tooLarge = [Int(Int32.max) + 1, Int(Int32.min) - 1, .max, .min]

  @Test(arguments: [Int(Int32.max), Int(Int32.min), 0, -1])
  func integersOf32BitsAreSentAndRead(value: Int) throws {
    let operation = try Shop.buildQuery { $0.products(first: value) { $0.image { $0.height() } } }
      .operation()
    #expect(operation.variablesText == #"{"first1":\#(value)}"#)
    let data = try operation.data(#"{"products":[{"image":{"height":\#(value)}}]}"#)
    #expect(data.products[0].image?.height == value)
  }

  @Test(arguments: tooLarge)
  func largerArgumentsAreProblems(value: Int) {
    let query = Shop.buildQuery(directives: [.cached(ttl: value)]) {
      $0.products(first: value) { $0.image(size: value) { $0.url(width: value) } }
    }
    #expect(
      problems(query) == [
        "argument `ttl`: \(Self.problem)", "products: argument `first`: \(Self.problem)",
        "products.image: argument `size`: \(Self.problem)",
        "products.image.url: argument `width`: \(Self.problem)",
      ])
  }

  @Test(arguments: tooLarge)
  func largerInputFieldsAreProblems(value: Int) {
    let query = Shop.buildMutation {
      $0.rename(id: "1", input: .init(title: "T", lines: [.init(title: "L", count: value)])) {
        $0.id()
      }
    }
    #expect(problems(query) == ["rename: argument `input`: `lines.0.count`: \(Self.problem)"])
  }

  @Test(arguments: tooLarge)
  func largerVariablesAreProblems(value: Int) {
    let error = #expect(throws: GraphQL.InvalidQuery.self) {
      try ScreenQuery(first: value, long: true, text: "").operation()
    }
    #expect(error?.problems.map(\.message) == ["variable `first`: \(Self.problem)"])
  }

  @Test(arguments: tooLarge)
  func largerValuesOfResponsesAreViolations(value: Int) throws {
    let operation = try Shop.buildQuery { $0.products { $0.image { $0.height() } } }.operation()
    #expect(throws: GraphQL.ResponseFailure.self) {
      try operation.data(#"{"products":[{"image":{"height":\#(value)}}]}"#)
    }
  }
}
