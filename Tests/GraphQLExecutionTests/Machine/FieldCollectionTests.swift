import GraphJSON
import GraphQLExecution
import GraphQLSchema
import Testing

/// Section 6.3.2.
struct FieldCollectionTests {
  private static let sdl = """
    type Query { pet: Pet, dog: Dog, all: [Pet] }
    interface Pet { name: String, friend: Pet }
    type Dog implements Pet { name: String, friend: Pet, barks: Boolean }
    type Cat implements Pet { name: String, friend: Pet, meows: Boolean }
    """
  private static let root: JSON = [
    "pet": ["__typename": "Dog", "name": "Rex", "barks": true],
    "dog": [
      "name": "Rex", "barks": true, "friend": ["__typename": "Cat", "name": "Tom", "meows": false],
    ],
  ]

  private func data(_ document: String, _ variables: JSON.Object = [:]) async throws -> String {
    let result = try await ExecutionHarness(Self.sdl).run(
      document, variables: variables, root: Self.root)
    #expect(result.errors.isEmpty)
    return result.data?.description ?? ""
  }

  @Test func fieldsKeepTheOrderOfTheirFirstSelection() async throws {
    #expect(
      try await data("{ dog { barks ...F name } } fragment F on Dog { name again: name barks }")
        == #"{"dog":{"barks":true,"name":"Rex","again":"Rex"}}"#)
  }

  @Test func mergesSelectionsWithSameResponseName() async throws {
    #expect(
      try await data("{ dog { name } ... { dog { barks } } dog { friend { name } } }")
        == #"{"dog":{"name":"Rex","barks":true,"friend":{"name":"Tom"}}}"#)
  }

  @Test func appliesFragmentsByObjectType() async throws {
    #expect(
      try await data(
        """
        { pet { ... on Cat { meows } ... on Pet { name } ... on Dog { barks } __typename
          friend { name } } }
        """)
        == #"{"pet":{"name":"Rex","barks":true,"__typename":"Dog","friend":null}}"#)
  }

  @Test(arguments: [
    ("@skip(if: true)", false), ("@skip(if: false)", true), ("@include(if: true)", true),
    ("@include(if: false)", false), ("@skip(if: false) @include(if: false)", false),
    ("@skip(if: true) @include(if: true)", false), ("@skip(if: $yes)", false),
    ("@include(if: $yes)", true), ("@skip(if: $default)", false),
  ])
  func skipAndIncludeOmitSelections(_ directives: String, _ isIncluded: Bool) async throws {
    let variables = "query($yes: Boolean!, $default: Boolean = true, $use: Boolean = false)"
    for selection in ["name \(directives)", "... \(directives) { name }", "...F \(directives)"] {
      let text = """
        \(variables) { dog { barks \(selection)
          a: barks @include(if: $use) b: barks @skip(if: $yes) c: barks @skip(if: $default) } }
        \(selection.hasPrefix("...F") ? "fragment F on Dog { name }" : "")
        """
      let expected = isIncluded ? #"{"barks":true,"name":"Rex"}"# : #"{"barks":true}"#
      #expect(try await data(text, ["yes": true]) == #"{"dog":\#(expected)}"#)
    }
  }

  @Test func nullConditionIsErrorAtEnclosingObject() async throws {
    let result = try await ExecutionHarness(Self.sdl).run(
      "query($c: Boolean = true) { dog { name @skip(if: $c) } }", variables: ["c": nil],
      root: Self.root)
    #expect(result.data == ["dog": nil])
    #expect(result.errors.map(\.path) == ["dog"])
  }
}
