import Foundation
import TestSupport
import Testing

@testable import graphql_generator

/// A file that is not a schema, and a required part of the message about it.
struct BadInput: CustomTestStringConvertible, Sendable {
  let name: String
  let file: String
  let bytes: [UInt8]
  let message: String

  var testDescription: String { name }

  init(_ name: String, _ file: String, _ bytes: [UInt8], says message: String) {
    self.name = name
    self.file = file
    self.bytes = bytes
    self.message = message
  }

  init(_ name: String, _ file: String, _ text: String, says message: String) {
    self.init(name, file, Array(text.utf8), says: message)
  }

  static let all: [BadInput] = [
    BadInput("empty JSON", "schema.json", "", says: "schema.json:1:1: error: The file is empty."),
    BadInput("empty SDL", "schema.graphqls", "", says: "error: The file is empty."),
    BadInput("white space", "schema.graphqls", " \n\t\r\n ", says: "error: The file is empty."),
    BadInput("a comment", "schema.graphqls", "# nothing\n", says: "error: "),
    BadInput(
      "HTML", "schema.json", "<!DOCTYPE html><html><body>Sign in</body></html>",
      says: "schema.json:1:1: error: This is HTML or XML, not a schema."),
    BadInput(
      "truncated JSON", "schema.json", #"{"data":{"__schema":{"types":[{"kind":"#,
      says: "schema.json:1:"),
    BadInput("JSON without a schema", "schema.json", #"{"errors":[]}"#, says: "schema.json:"),
    BadInput(
      "no types", "schema.json",
      #"{"data":{"__schema":{"queryType":{"name":"Query"}}}}"#, says: "types"),
    BadInput(
      "an empty list of types", "schema.json",
      #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[],"directives":[]}}}"#,
      says: "schema.json:"),
    BadInput("a number", "schema.json", "42", says: "schema.json:1:1: error: "),
    BadInput("bytes that are no text", "schema.graphqls", [0xFF, 0xFE, 0x00], says: "error: "),
    BadInput("a NUL", "schema.graphqls", "type Query { a\u{0}b: Int }", says: ":1:15: error: "),
    BadInput(
      "a name that is none", "schema.json",
      introspection(typeName: "No Name"), says: "error: "),
    BadInput(
      "a path as a name", "schema.json", introspection(typeName: "../../Escape"), says: "error: "),
    BadInput(
      "a name with a line break", "schema.json", introspection(typeName: #"A\nlet stolen"#),
      says: "error: "),
    BadInput(
      "a name that ends a comment", "schema.json", introspection(typeName: "*/A"), says: "error: "),
    BadInput(
      "a name in backticks", "schema.json", introspection(typeName: "`A`"), says: "error: "),
    BadInput(
      "a name that is read backwards", "schema.json", introspection(typeName: #"\u202EA"#),
      says: "error: "),
    BadInput("an empty name", "schema.json", introspection(typeName: ""), says: "error: "),
    BadInput("a reserved name", "schema.graphqls", "type Query { __type: Int }", says: "__type"),
    BadInput(
      "deep nesting in SDL", "schema.graphqls",
      "type Query { a: \(String(repeating: "[", count: 1_000_000))", says: "schema.graphqls:1:"),
    BadInput(
      "deep nesting in a default value", "schema.graphqls",
      "type Query { a(b: Int = \(String(repeating: "[", count: 1_000_000))): Int }",
      says: "schema.graphqls:1:"),
    BadInput(
      "deep nesting in JSON", "schema.json", String(repeating: "[", count: 1_000_000),
      says: "schema.json:1:"),
    BadInput(
      "deep types in JSON", "schema.json",
      String(repeating: #"{"ofType":"#, count: 1_000_000), says: "schema.json:1:"),
  ]

  static func introspection(typeName: String) -> String {
    let field =
      #"{"name":"a","args":[],"isDeprecated":false,"type":{"kind":"SCALAR","name":"Int"}}"#
    return """
      {"data":{"__schema":{"queryType":{"name":"\(typeName)"},"directives":[],"types":[
      {"kind":"OBJECT","name":"\(typeName)","fields":[\(field)],"interfaces":[]},
      {"kind":"SCALAR","name":"Int"}]}}}
      """
  }
}

@Suite("Bad input: a clear diagnostic, a non-zero exit status, nothing written")
struct BadInputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: BadInput.all)
  func rejectsBadInputWithoutWritingFiles(input: BadInput) throws {
    let schema = try folder.write(input.bytes, to: input.file)
    for arguments in [
      ["generate", "--output", folder.path("Generated")], ["validate"], ["print"],
      ["print", "--introspection"],
    ] {
      let run = ToolRun(arguments + ["--schema", schema])
      #expect(run.status == .problems)
      #expect(run.error.contains(input.message), "\(run.error.prefix(2_000))")
      #expect(run.error.utf8.count < 10_000)
    }
    #expect(folder.names(in: "") == [input.file])
  }

  @Test func reportsPathOfMissingSchemaFile() {
    let run = ToolRun("generate", "--schema", folder.path("nowhere.json"))
    #expect(run.status == .problems)
    #expect(run.error.contains("error: \(folder.path("nowhere.json")): There is no such file."))
  }

  @Test func statesHowToNameTheSchema() throws {
    let configuration = try folder.write("{}", to: "graphql-generator.json")
    let run = ToolRun("generate", "--config", configuration)
    #expect(run.status == .problems)
    #expect(run.error.contains("error: \(folder.path("schema.json")): There is no such file."))
    #expect(run.error.contains("Name the schema with --schema, or in graphql-generator.json"))
  }

  @Test func rejectsFolderAsSchemaFile() {
    let run = ToolRun("validate", "--schema", folder.path)
    #expect(run.status == .problems)
    #expect(run.error.contains("This is a folder where a file is needed."))
  }

  @Test func reportsPathOfMissingConfiguration() throws {
    let run = try folder.generate(smallSchema, "--config", folder.path("nowhere.json"))
    #expect(run.status == .problems)
    #expect(run.error.contains("nowhere.json: There is no such file."))
    #expect(!folder.exists("Generated"))
  }

  @Test(arguments: [
    ("", ":1:1: error: "), ("{", ":1:2: error: "), ("[]", ":1:1: error: "),
    (#"{ "namespce": "A" }"#, #"Did you mean "namespace"?"#),
    (#"{ "namespace": "../Escape" }"#, #""../Escape""#),
    (#"{ "layout": { "files": 0 } }"#, "from 1 to 64"),
    (#"{ "deny": ["Nowhere"] }"#, "Nowhere"),
    ("\u{FEFF}{\r\n \"namespce\": 1 }", ":2:2: error: "),
    ("{\0 \0}\0", "seems to be UTF-16"),
  ])
  func rejectsInvalidConfiguration(text: String, message: String) throws {
    let config = try folder.write(text, to: "graphql-generator.json")
    let run = try folder.generate(smallSchema)
    #expect(run.status == .problems)
    #expect(run.error.contains(config + ":"), "\(run.error)")
    #expect(run.error.contains(message), "\(run.error)")
    #expect(!folder.exists("Generated"))
  }

  @Test(arguments: ["../Escape", "A.B", "a b", "1st", "", "`x`", "A/B"])
  func rejectsInvalidNamespace(namespace: String) throws {
    let run = try folder.generate(smallSchema, "--namespace=\(namespace)")
    #expect(run.status != .success)
    #expect(folder.names(in: "") == ["schema.graphqls"])
  }

  @Test func reportsAllOfTwoHundredErrors() throws {
    let fields = (1...200).map { "  field\($0): Missing\($0)" }.joined(separator: "\n")
    let run = try folder.generate("type Query {\n\(fields)\n}\n")
    #expect(run.status == .problems)
    #expect(run.error.components(separatedBy: ": error: ").count == 201)
    for line in 2...201 {
      #expect(run.error.contains("schema.graphqls:\(line):"))
    }
    #expect(!folder.exists("Generated"))
  }
}
