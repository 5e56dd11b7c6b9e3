import GraphJSON
import Testing

@testable import GraphOutbox

/// The variables of arguments, by the document that was queued.
struct MutationArgumentTests {
  private func argument(
    _ name: String, _ document: String, _ variables: JSON, of entity: String = "p1"
  ) -> MutationArgument {
    MutationArgument(name, in: document, variables, of: entity)
  }

  /// The names of variables in the document of a builder, and fields of input objects.
  @Test func onlyTheArgumentIsReplaced() {
    let document = """
      mutation A($version2:Int,$versions1:Int,$input3:Input){a(version:$version2,versions:$versions1,input:$input3){id}}
      """
    let variables: JSON = [
      "version2": 3, "versions1": 3, "input3": ["version": 3, "lines": [["version": 3, "v": 3]]],
    ]
    let version = argument("version", document, variables)
    #expect(version.value(in: variables) == 3)
    #expect(
      version.replacing(in: variables, with: 4) == [
        "version2": 4, "versions1": 3,
        "input3": ["version": 4, "lines": [["version": 4, "v": 3]]],
      ])
    #expect(argument("versions", document, variables).variable == "versions1")
    #expect(argument("other", document, variables).value(in: variables) == nil)
  }

  /// A document chooses the names of its variables.
  @Test func namesOfVariablesDoNotCount() {
    let document =
      "mutation B($name2: String, $id: ID!, $name: String!, $v: Int) "
      + "{ b(id: $id, name: $name, expected: $v, note: $name2) { ...F } } fragment F on T { id }"
    let variables: JSON = ["name2": "SECOND", "id": "p1", "name": "FIRST", "v": 7]
    #expect(argument("name", document, variables).variable == "name")
    #expect(argument("expected", document, variables).variable == "v")
    #expect(
      argument("expected", document, variables).replacing(in: variables, with: 8)
        == ["name2": "SECOND", "id": "p1", "name": "FIRST", "v": 8])
  }

  /// Each of two root fields has the argument, of another object.
  @Test func theFieldOfTheObjectCounts() {
    let document =
      "mutation C($id: ID!, $e: Int, $e2: Int) "
      + "{ other: c(id: \"p2\", expected: $e2) { id } c(id: $id, expected: $e) { id } }"
    let variables: JSON = ["id": "p1", "e": 1, "e2": 77]
    #expect(
      argument("expected", document, variables).replacing(in: variables, with: 2)
        == ["id": "p1", "e": 2, "e2": 77])
    #expect(
      argument("expected", document, variables, of: "p2").replacing(in: variables, with: 2)
        == ["id": "p1", "e": 1, "e2": 2])
    #expect(argument("expected", document, variables, of: "p3").variable == "e2")
  }

  /// The variable is in an input object of the document.
  @Test func fieldsOfInputObjectsInTheDocumentCount() {
    let document = "mutation D($v: Int) { d(input: { list: [{ expected: $v }] }) { id } }"
    #expect(argument("expected", document, ["v": 1]).value(in: ["v": 1]) == 1)
  }

  @Test(arguments: ["", "{", "mutation{a(", "mutation A{a(b:\"\"\"x\"\"\")}", "query {", "\u{0}"])
  func anUnreadableDocumentHasNoArguments(_ document: String) {
    #expect(argument("a", document, ["a": 1]).value(in: ["a": 1]) == nil)
  }
}
