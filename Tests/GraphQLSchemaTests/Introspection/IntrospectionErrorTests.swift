import GraphQLSchema
import Testing

/// Texts that are not introspection results, or are damaged ones, are reported clearly and with the
/// location.
@Suite struct IntrospectionErrorTests {
  private func problems(_ json: String, name: String = "schema.json") -> [String] {
    do {
      return try ServiceSchema.read([Source(name: name, text: json)]).warnings.map(summary)
    } catch {
      return error.elements.map(summary)
    }
  }

  @Test(arguments: [
    ("", "1:1 syntax: The file is empty."),
    (" \n", "1:1 syntax: The file is empty."),
    ("\u{FEFF}", "1:1 syntax: The file is empty."),
    (
      "<!DOCTYPE html><html>",
      "1:1 syntax: This is HTML or XML, not a schema. "
        + "Check the URL of the schema, and whether the server requires a token."
    ),
    ("[1]", "1:1 introspection: An introspection result is a JSON object."),
    (
      #"{"data":{}}"#,
      #"1:9 introspection: This JSON is not an introspection result: it has no "__schema". "#
        + #"Save the response to an introspection query, with or without its "data"."#
    ),
    (
      #"{"errors":[{"message":"Forbidden"},{"message":"b"}]}"#,
      "1:12 introspection: The service responded to the introspection query with an error: "
        + "\"Forbidden\"."
    ),
    (
      #"{"data":null,"errors":["No."]}"#,
      "1:24 introspection: The service responded to the introspection query with an error: \"No.\"."
    ),
    (
      #"{"message":"Bad credentials"}"#,
      "1:12 introspection: This is not an introspection result but a message: "
        + "\"Bad credentials\"."
    ),
    (#"{"__schema":null}"#, #"1:13 introspection: "__schema" must be an object."#),
    (
      #"{"__schema":{"queryType":{"name":"Q"}}}"#,
      "1:13 introspection: The introspection result has no types."
    ),
    (
      #"{"__schema":{"types":[]}}"#,
      "1:22 introspection: The introspection result has no types."
    ),
  ])
  func rejectsJSONWithoutIntrospectionResult(json: String, problem: String) {
    #expect(problems(json) == [problem])
  }

  @Test func reportsTruncatedResult() throws {
    let problem = try #require(problems(#"{"data":{"__schema":{"types":[{"kind":"#).first)
    #expect(problem.hasPrefix("1:39 syntax: Invalid JSON: "))
    #expect(problem.hasSuffix("The file seems to be cut off: fetch the schema again."))
  }

  @Test func reportsInvalidJSON() throws {
    let problem = try #require(problems("{\"data\":\n  x}").first)
    #expect(problem.hasPrefix("2:3 syntax: Invalid JSON: "))
  }

  private static let int = #"{"kind":"SCALAR","name":"Int"}"#

  /// Wrong parts of types; each replaces the percent sign.
  @Test(arguments: [
    (#"{"name":"A"}"#, "This type has no kind."),
    (#"{"kind":1,"name":"A"}"#, "This type has no kind."),
    (#"{"kind":"SCALAR"}"#, "This type has no name."),
    (#"{"kind":"SCALAR","name":null}"#, "This type has no name."),
    (#"{"kind":"OBJECT","name":"A","fields":{}}"#, "\"fields\" must be a list or null."),
    (#"{"kind":"OBJECT","name":"A","fields":[{}]}"#, "This field has no name."),
    (#"{"kind":"OBJECT","name":"A","fields":[{"name":"f"}]}"#, "\"A.f\" has no type."),
    (
      #"{"kind":"OBJECT","name":"A","fields":[{"name":"f","type":{"kind":"LIST"}}]}"#,
      "The type of \"A.f\" is cut off: this LIST has no \"ofType\". "
        + "Fetch the schema with an introspection query that selects more levels of \"ofType\"."
    ),
    (
      #"{"kind":"OBJECT","name":"A","fields":[{"name":"f","type":{"kind":"NON_NULL","ofType":"#
        + #"{"kind":"NON_NULL","ofType":{"kind":"SCALAR","name":"Int"}}}}]}"#,
      "A non-null type cannot wrap another non-null type."
    ),
  ])
  func reportsMalformedTypes(json: String, problem: String) throws {
    let found = problems(
      #"{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","fields":[{"#
        + "\"name\":\"f\",\"type\":\(Self.int)}]},\n\(json)]}}")
    #expect(found.count == 1)
    let line = try #require(found.first)
    #expect(line.hasPrefix("2:"))
    let code = problem.contains("cut off") ? "CutOffType" : "introspection"
    #expect(line.hasSuffix(" \(code): " + problem))
  }

  /// Details that a later edition adds, or that a service writes wrongly, are left out with a warning.
  @Test(arguments: [
    (
      #"{"kind":"OBJEKT","name":"A"}"#,
      "UnknownKind: Unknown kind of type \"OBJEKT\". Did you mean \"OBJECT\"?"
    ),
    (
      #"{"kind":"SCALAR","name":"A","description":1}"#,
      "UnreadableText: \"description\" must be a string or null."
    ),
    (
      #"{"kind":"OBJECT","name":"A","fields":[{"name":"g","type":{"kind":"SCALAR","name":"Int"}},"#
        + #"{"name":"f","type":{"kind":"MAP","name":"B"}}]}"#,
      "UnknownKind: \"A.f\" cannot be used: the kind of its type is unknown."
    ),
    (
      #"{"kind":"INPUT_OBJECT","name":"A","inputFields":[{"name":"f","type":{"kind":"SCALAR","#
        + #""name":"Int"},"defaultValue":"1 2"}]}"#,
      "UnreadableDefaultValue: The default value of \"A.f\" is not a GraphQL value: "
        + "Expected the end, found \"2\"."
    ),
    (
      #"{"kind":"INPUT_OBJECT","name":"A","inputFields":[{"name":"f","type":{"kind":"SCALAR","#
        + #""name":"Int"},"defaultValue":"$a"}]}"#,
      "UnreadableDefaultValue: The default value of \"A.f\" is not a GraphQL value: "
        + "A constant value cannot contain the variable \"$a\"."
    ),
    (
      #"{"kind":"INPUT_OBJECT","name":"A","inputFields":[{"name":"f","type":{"kind":"SCALAR","#
        + #""name":"Int"},"defaultValue":1}]}"#,
      "UnreadableText: \"defaultValue\" must be a string or null."
    ),
  ])
  func toleratesDetails(json: String, problem: String) throws {
    let text =
      #"{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","fields":[{"#
      + "\"name\":\"f\",\"type\":\(Self.int)}]},\n\(json)]}}"
    let source = Source(name: "schema.json", text: text)
    let warnings = try ServiceSchema(introspection: source).warnings
    #expect(warnings.map(\.severity) == [.warning])
    #expect(warnings.first.map(summary)?.hasSuffix(" " + problem) == true)
    #expect(throws: Diagnostics.self) {
      try ServiceSchema(introspection: source, rules: .specification)
    }
  }

  @Test func unreadableDefaultValueKeepsAnArgumentOptional() throws {
    let source = Source(
      name: "schema.json",
      text: #"{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","#
        + #""fields":[{"name":"f","type":\#(Self.int),"args":[{"name":"a","type":"#
        + #"{"kind":"NON_NULL","ofType":\#(Self.int)},"defaultValue":"1 2"}]}]}]}}"#)
    let schema = try ServiceSchema(introspection: source)
    #expect(schema.queryType?.fields["f"]?.arguments["a"]?.isRequired == false)
  }

  /// A result that can be read is then checked like any other schema, with locations in the JSON
  /// text.
  @Test func validatesSchemaOfResult() {
    let found = problems(
      """
      {"__schema":{"queryType":{"name":"Q"},"types":[
      {"kind":"OBJECT","name":"Q","fields":[{"name":"a b","type":{"kind":"SCALAR","name":"Int"}}]},
      {"kind":"ENUM","name":"E","enumValues":[{"name":"true"}]},
      {"kind":"ENUM","name":"../x","enumValues":[{"name":"A"},{"name":"A"}]},
      {"kind":"OBJECT","name":"O","fields":[{"name":"f","type":{"kind":"ENUM","name":"Missing"}}]}]}}
      """)
    #expect(
      found == [
        #"2:47 ValidNames: "a b" in "Q.a b" is not a name. Names consist of ASCII letters, digits and underscores."#,
        #"3:49 EnumValueNames: "E" cannot have a value "true"."#,
        #"4:23 ValidNames: "../x" in "../x" is not a name. Names consist of ASCII letters, digits and underscores."#,
        #"4:65 UniqueNames: "../x" has more than one value "A"."#,
        #"5:80 KnownTypes: Unknown type "Missing"."#,
      ])
  }

  @Test func rejectsTooDeepTypeReference() {
    let depth = 201
    let type =
      String(repeating: #"{"kind":"LIST","ofType":"#, count: depth) + Self.int
      + String(repeating: "}", count: depth)
    let found = problems(
      #"{"__schema":{"types":[{"kind":"OBJECT","name":"Q","fields":[{"name":"f","type":\#(type)}]}]}}"#
    )
    #expect(found.contains { $0.hasSuffix("The type of \"Q.f\" is nested too deeply.") })
  }
}
