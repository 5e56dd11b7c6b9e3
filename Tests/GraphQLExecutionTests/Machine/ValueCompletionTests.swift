import GraphJSON
import GraphQLExecution
import GraphQLSchema
import Testing

/// Sections 6.4.3 and 6.4.4.
struct ValueCompletionTests {
  private static let sdl = """
    type Query {
      int: Int, float: Float, string: String, boolean: Boolean, id: ID, colour: Colour, any: Any
      list: [Int], strict: [Int!], matrix: [[Int!]!]
      node: Node, need: Node!, nodes: [Node!], pet: Pet
    }
    scalar Any
    enum Colour { RED GREEN }
    type Node { name: String!, next: Node, need: Node!, items: [Node] }
    union Pet = Dog | Cat
    type Dog { barks: Boolean }
    type Cat { meows: Boolean }
    """

  @Test(
    arguments: [
      ("int", 7, 7), ("int", 7.0, 7), ("float", 7, 7), ("float", 0.5, 0.5), ("string", "a", "a"),
      ("boolean", false, false), ("id", "a", "a"), ("id", 7, "7"), ("colour", "RED", "RED"),
      ("any", [1, ["a": nil]], [1, ["a": nil]]), ("list", [1, nil], [1, nil]), ("list", [], []),
      ("matrix", [[1], []], [[1], []]),
    ] as [(String, JSON, JSON)])
  func completesValidValues(_ field: String, _ value: JSON, _ expected: JSON) async throws {
    let root = JSON.object([field: value])
    let result = try await ExecutionHarness(Self.sdl).run("{ \(field) }", root: root)
    #expect(result.errors.isEmpty)
    #expect(result.data?[field] == expected)
  }

  @Test(
    arguments: [
      ("int", 0.5), ("int", 2_147_483_648), ("int", "7"), ("float", "7"), ("string", 7),
      ("boolean", 1), ("id", 1.5), ("colour", "BLUE"), ("colour", 1), ("list", 1), ("list", "a"),
      ("string", ["a"]), ("string", ["a": 1]),
    ] as [(String, JSON)])
  func rejectsInvalidValues(_ field: String, _ value: JSON) async throws {
    let root = JSON.object([field: value])
    let result = try await ExecutionHarness(Self.sdl).run("{ \(field) }", root: root)
    #expect(result.data == .object([field: nil]))
    #expect(result.errors.count == 1)
    #expect(result.errors[0].path == ResponsePath([.name(field)]))
    #expect(result.errors[0].locations == [.init(line: 1, column: 3)])
  }

  @Test func nullPropagatesToNearestNullableParent() async throws {
    let harness = try ExecutionHarness(Self.sdl)
    let good: JSON = ["name": "a", "need": ["name": "b"]]
    let deep = try await harness.run(
      "{ node { name next { need { need { name } } } int: __typename } }",
      root: ["node": ["name": "a", "next": ["need": ["need": ["name": nil]]]]])
    #expect(deep.data == ["node": ["name": "a", "next": nil, "int": "Node"]])
    #expect(deep.failures.count == 1)
    #expect(deep.errors[0].path == "node.next.need.need.name")

    let list = try await harness.run(
      "{ nodes { name } node { items { name } } }",
      root: ["nodes": [good, ["name": nil]], "node": ["items": [good, [:], good]]])
    #expect(list.data == ["nodes": nil, "node": ["items": [["name": "a"], nil, ["name": "a"]]]])
    #expect(list.errors.map(\.path) == ["nodes[1].name", "node.items[1].name"])

    let root = try await harness.run("{ int need { name } }", root: ["int": 1])
    #expect(root.data == .null)
    #expect(root.json.description.hasSuffix(#""data":null}"#))
  }

  @Test func nullItemNullifiesListOfNonNulls() async throws {
    let result = try await ExecutionHarness(Self.sdl).run(
      "{ strict matrix }", root: ["strict": [1, nil, 3], "matrix": [[1, nil], [2]]])
    #expect(result.data == ["strict": nil, "matrix": nil])
    #expect(result.errors.map(\.path) == ["strict[1]", "matrix[0][1]"])
  }

  @Test func resolvesAbstractTypeFromTypename() async throws {
    let harness = try ExecutionHarness(Self.sdl)
    let query = "{ pet { __typename ... on Cat { meows } } }"
    let cat = try await harness.run(query, root: ["pet": ["__typename": "Cat", "meows": true]])
    #expect(cat.data == ["pet": ["__typename": "Cat", "meows": true]])
    for wrong in [[:], ["__typename": "Node"], ["__typename": "Nothing"], 7] as [JSON] {
      let result = try await harness.run(query, root: ["pet": wrong])
      #expect(result.data == ["pet": nil])
      #expect(result.errors.map(\.path) == ["pet"])
    }
  }

  private struct Broken: Error, CustomStringConvertible {
    let description = "out of order"
  }

  @Test func resolverErrorIsReportedAtItsField() async throws {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers["Query", "int"] = { _ in throw Broken() }
    harness.resolvers["Query", "string"] = { _ in
      throw ExecutionError("no", extensions: ["code": "NO"])
    }
    harness.resolvers["Query", "list"] = { _ in
      .list([.json(1), .failure(ExecutionError("lost")), .json(3)])
    }
    let result = try await harness.run("{ int\n  a: string\n  list }")
    #expect(result.data == ["int": nil, "a": nil, "list": [1, nil, 3]])
    #expect(result.failures == ["int: out of order", "a: no", "list[1]: lost"])
    #expect(
      result.errors[1].json == [
        "message": "no", "locations": [["line": 2, "column": 3]], "path": ["a"],
        "extensions": ["code": "NO"],
      ])
  }

  @Test func errorsContainLocationsOfAllSelections() async throws {
    var harness = try ExecutionHarness(Self.sdl)
    harness.resolvers["Query", "int"] = { _ in throw Broken() }
    let result = try await harness.run("{ int ... {\n int } }")
    #expect(result.errors[0].locations == [.init(line: 1, column: 3), .init(line: 2, column: 2)])
  }
}
