import GraphJSON
import GraphQLExecution
import GraphQLSchema
import Testing

/// Section 6.1.2, and the input coercion rules of chapter 3.
struct VariableCoercionTests {
  private static let sdl = """
    type Query { echo(any: Any): Any }
    scalar Any
    enum Colour { RED GREEN }
    input Point { x: Int! = 1, y: Float, tags: [String!], next: Point }
    input Pick @oneOf { id: ID, name: String }
    """

  /// The coerced value of `$v`, as JSON text; nil after a request error.
  private func coerced(_ type: String, _ given: JSON?, default: String = "") async throws -> JSON? {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers["Query", "echo"] = { .json($0.arguments["any"] ?? "absent") }
    var variables = JSON.Object()
    variables["v"] = given
    let result = try await harness.run(
      "query($v: \(type)\(`default`)) { echo(any: $v) }", variables: variables, validate: false)
    if result.data == nil {
      #expect(result.errors.count == 1)
      #expect(result.errors[0].message.hasPrefix("The variable \"$v"))
      #expect(result.errors[0].locations == [.init(line: 1, column: 7)])
    }
    return result.data?["echo"]
  }

  @Test(
    arguments: [
      ("Int", 5, 5), ("Int", 1.0, 1), ("Int", -2_147_483_648, -2_147_483_648), ("Float", 5, 5),
      ("Float", 0.1, 0.1), ("String", "a", "a"), ("Boolean", true, true), ("ID", "a", "a"),
      ("ID", 7, "7"), ("ID", 7.0, "7"), ("Colour", "RED", "RED"), ("Int", nil, nil),
      ("[Int]", [1, nil], [1, nil]), ("[Int]", 1, [1]), ("[[Int]]", 1, [[1]]),
      ("[[Int]]", [1, [2]], [[1], [2]]), ("[Int!]", nil, nil),
      ("Point", ["y": 2], ["x": 1, "y": 2]),
      (
        "Point", ["x": 3, "tags": "a", "next": ["y": nil]],
        ["x": 3, "tags": ["a"], "next": ["x": 1, "y": nil]]
      ),
      ("Pick", ["id": 4], ["id": "4"]), ("Any", ["a": [1, nil]], ["a": [1, nil]]),
    ] as [(String, JSON, JSON)])
  func coercesValidValues(_ type: String, _ given: JSON, _ expected: JSON) async throws {
    #expect(try await coerced(type, given) == expected)
  }

  @Test(
    arguments: [
      ("Int", 1.5), ("Int", 2_147_483_648), ("Int", "1"), ("Int", true), ("Float", "1"),
      ("String", 1), ("Boolean", 1), ("ID", 1.5), ("ID", true), ("Colour", "BLUE"), ("Colour", 1),
      ("Int!", nil), ("[Int!]", [nil]), ("[Int]", [[1]]), ("Point", []), ("Point", ["z": 1]),
      ("Point", ["x": nil]), ("Point", ["next": ["x": "a"]]), ("Pick", [:]), ("Pick", ["id": nil]),
      ("Pick", ["id": 1, "name": "a"]), ("Pick", ["id": 1, "name": nil]),
    ] as [(String, JSON)])
  func rejectsInvalidValues(_ type: String, _ given: JSON) async throws {
    #expect(try await coerced(type, given) == nil)
  }

  @Test func distinguishesOmittedVariableFromNull() async throws {
    #expect(try await coerced("Int", nil) == "absent")
    #expect(try await coerced("Int", nil, default: " = 3") == 3)
    #expect(try await coerced("Int", .null, default: " = 3") == .null)
    #expect(try await coerced("Int!", nil) == nil)
    #expect(try await coerced("[Point]", nil, default: " = { y: 1 }") == [["x": 1, "y": 1]])
  }

  @Test func errorsContainPathInsideValue() async throws {
    let harness = try ExecutionHarness(Self.sdl)
    let result = try await harness.run(
      "query($a: [Point], $b: Int!) { echo(any: $a) other: echo(any: $b) }",
      variables: ["a": [["next": ["tags": ["x", 1]]]]], validate: false)
    #expect(
      result.failures == [
        "-: The variable \"$a[0].next.tags[1]\" is invalid: "
          + "The number \"1\" is not a value of \"String\".",
        "-: The variable \"$b\" is invalid: A value of type \"Int!\" is required.",
      ])
    #expect(result.data == nil)
  }
}
