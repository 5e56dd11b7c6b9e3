import GraphJSON
import GraphQLExecution
import GraphQLPrinting
import GraphQLSchema
import Testing

/// Section 6.4.1.
struct ArgumentCoercionTests {
  private static let sdl = """
    type Query {
      echo(
        int: Int, float: Float, id: ID, colour: Colour, list: [Int], point: Point, pick: Pick,
        any: Any, given: Int = 5, must: Int! = 6, twice: [Point!] = { y: 2 }
      ): Any
      need(a: Int!): Any
    }
    scalar Any
    enum Colour { RED GREEN }
    input Point { x: Int = 1, y: Float, z: Int }
    input Pick @oneOf { id: ID, name: String }
    """

  private func arguments(
    _ text: String, _ variables: JSON.Object = [:], _ declarations: String = ""
  ) async throws -> ExecutionResult {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers["Query", "echo"] = { .json(.object($0.arguments)) }
    harness.resolvers["Query", "need"] = { .json(.object($0.arguments)) }
    return try await harness.run("query\(declarations) { \(text) }", variables: variables)
  }

  @Test(
    arguments: [
      ("int: 4", "int", 4), ("int: null", "int", nil), ("float: 4", "float", 4),
      ("float: 1e2", "float", 100), ("id: 4", "id", "4"), ("colour: RED", "colour", "RED"),
      ("list: 4", "list", [4]), ("list: [4, null]", "list", [4, nil]),
      ("point: { y: 2.5 }", "point", ["x": 1, "y": 2.5]),
      ("point: { x: null }", "point", ["x": nil]), ("pick: { id: 1 }", "pick", ["id": "1"]),
      ("any: { a: [RED, 1.50, null, \"s\"] }", "any", ["a": ["RED", 1.5, nil, "s"]]),
      ("given: 9", "given", 9), ("int: 1", "given", 5), ("int: 1", "must", 6),
      ("int: 1", "twice", [["x": 1, "y": 2]]),
    ] as [(String, String, JSON)])
  func coercesLiterals(_ text: String, _ name: String, _ expected: JSON) async throws {
    let result = try await arguments("echo(\(text))")
    let value = try #require(result.data?["echo"]?[name])
    switch (value, expected) {
    case (.number(let value), .number(let expected)): #expect(value.double == expected.double)
    case (.object, .object) where name == "any": #expect(value["a"]?.kind == .array)
    default: #expect(value == expected)
    }
  }

  @Test func argumentsFollowDefinitionOrder() async throws {
    let result = try await arguments("echo(colour: RED, int: 1)")
    guard case .object(let object)? = result.data?["echo"] else {
      Issue.record("no object")
      return
    }
    #expect(object.keys == ["int", "colour", "given", "must", "twice"])
  }

  @Test func omittedVariableOmitsArgument() async throws {
    let result = try await arguments(
      "echo(int: $v, given: $v, point: { x: $v, z: $v }, list: [$v], any: { a: $v })", [:],
      "($v: Int)")
    let echo = try #require(result.data?["echo"])
    #expect(echo["int"] == nil)
    #expect(echo["given"] == 5)
    #expect(echo["point"] == ["x": 1])
    #expect(echo["list"] == [nil])
    #expect(echo["any"] == [:])
  }

  @Test func rejectsNullVariableForNonNullArgumentWithDefault() async throws {
    let result = try await arguments("echo(must: $v)", ["v": nil], "($v: Int = 1)")
    #expect(result.data == ["echo": nil])
    #expect(result.errors.map(\.path) == ["echo"])
    #expect(result.errors[0].message.contains("\"must\""))
    #expect(result.errors[0].locations == [.init(line: 1, column: 33)])
  }

  @Test func rejectsNullVariableInOneOfField() async throws {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers["Query", "echo"] = { .json(.object($0.arguments)) }
    for variables in [["v": nil], [:]] as [JSON.Object] {
      let result = try await harness.run(
        "query($v: ID) { echo(pick: { id: $v }) }", variables: variables, validate: false)
      #expect(result.data == ["echo": nil])
      #expect(result.errors.count == 1)
    }
  }

  @Test func invalidArgumentsOfUnvalidatedDocumentAreFieldErrors() async throws {
    let harness = try ExecutionHarness(Self.sdl)
    for text in [
      "need", "need(a: null)", "need(a: \"1\")", "need(a: $nothing)", "need(a: 3000000000)",
    ] {
      let result = try await harness.run("{ \(text) }", validate: false)
      #expect(result.data == ["need": nil], "\(text)")
      #expect(result.errors.count == 1, "\(text)")
    }
  }

  /// The client's rules accept them, and the service has its own, so a mock endpoint does not refuse them.
  @Test(
    arguments: [
      ("a: Colour = \"RED\"", "RED"), ("a: Colour = PINK", "PINK"), ("a: Colour! = null", nil),
      ("a: Int = \"1\"", "1"), ("a: Boolean = RED", "RED"), ("a: Point = 3", 3),
      ("a: [Colour!] = \"RED\"", ["RED"]), ("a: [Int!] = [1, \"b\", null]", [1, "b", nil]),
      (
        "a: Point = { y: 2.0, z: \"up\", other: 1, colour: \"RED\" }",
        ["x": 1, "y": 2.0, "z": "up", "colour": "RED", "shade": "DARK"]
      ),
      ("a: Point = { colour: GREEN }", ["x": 1, "colour": "GREEN", "shade": "DARK"]),
      ("a: Pick = { id: 1, name: null }", ["id": "1", "name": nil]), ("a: Pick = {}", [:]),
      ("a: Need = {}", [:]),
    ] as [(String, JSON)])
  func acceptsWrongDefaultValuesOfSchema(argument: String, expected: JSON) async throws {
    var harness = try ExecutionHarness(
      """
      type Query { echo(\(argument)): Any }
      scalar Any
      enum Colour { RED GREEN }
      input Point { x: Int = 1, y: Float, z: Int, colour: Colour, shade: Colour = "DARK" }
      input Pick @oneOf { id: ID, name: String }
      input Need { a: Int! }
      """)
    #expect(harness.schema.warnings.contains { $0.code == "DefaultValues" })
    harness.resolvers["Query", "echo"] = { .json(.object($0.arguments)) }
    for document in ["{ echo }", "query($b: \(argument.type)) { echo(a: $b) }"] {
      let result = try await harness.run(document)
      #expect(result.failures == [])
      let value = try #require(result.data?["echo"]?["a"])
      #expect(value == expected)
    }
  }

  /// Its text is used instead, so that the argument or input field stays optional.
  @Test(arguments: [
    #"{"kind":"SCALAR","name":"Int"}"#, #"{"kind":"ENUM","name":"E"}"#,
    #"{"kind":"INPUT_OBJECT","name":"I"}"#,
    #"{"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":{"kind":"SCALAR","name":"Boolean"}}}"#,
  ])
  func acceptsUnreadableDefaultValueOfSchema(type: String) async throws {
    let value = #""type":{"kind":"NON_NULL","ofType":\#(type)},"defaultValue":"1 2""#
    let schema = try ServiceSchema(
      introspection: Source(
        name: "schema.json",
        text:
          #"{"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","#
          + #""fields":[{"name":"echo","type":{"kind":"SCALAR","name":"Any"},"args":[{"name":"a","#
          + #"\#(value)},{"name":"i","type":{"kind":"INPUT_OBJECT","name":"I"}}]}]},"#
          + #"{"kind":"ENUM","name":"E","enumValues":[{"name":"A"}]},{"kind":"SCALAR","name":"Any"},"#
          + #"{"kind":"INPUT_OBJECT","name":"I","inputFields":[{"name":"x","#
          + #""type":{"kind":"SCALAR","name":"Int"}},{"name":"y",\#(value)}]}]}}"#))
    var harness = try ExecutionHarness(schema.sdl)
    harness.resolvers["Query", "echo"] = { .json(.object($0.arguments)) }
    for document in ["{ echo }", "{ echo(i: { x: 1 }) }", "query($i: I = {}) { echo(i: $i) }"] {
      let result = try await harness.run(document)
      #expect(result.failures == [])
      #expect(result.data?["echo"]?["a"] != nil)
    }
  }

  @Test func wrongValueOfDocumentIsAnError() async throws {
    var harness = try ExecutionHarness(
      "type Query { echo(a: I): Int } input I { a: Int = \"1\", b: Int! = 1 }")
    harness.resolvers["Query", "echo"] = { _ in .json(1) }
    #expect(try await harness.run("{ echo(a: {}) }").failures == [])
    for value in ["{ b: null }", "{ a: \"1\" }", "{ c: 1 }", "1"] {
      let result = try await harness.run("{ echo(a: \(value)) }", validate: false)
      #expect(result.errors.count == 1, "\(value)")
    }
    let result = try await harness.run(
      "query($a: I = { a: \"1\" }) { echo(a: $a) }", validate: false)
    #expect(result.errors.count == 1)
  }
}

extension String {
  /// The type in an argument definition, as that of a variable that need not be given.
  fileprivate var type: String {
    let text = split(separator: " = ")[0].dropFirst(3)
    return String(text.last == "!" ? text.dropLast() : text)
  }
}
