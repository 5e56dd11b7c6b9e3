import GraphJSON
import GraphQLPrinting
import GraphQLSchema

struct Checker {
  /// The schema in each text that was read, or its errors.
  private var schemas: [String: Result<ServiceSchema, Diagnostics>] = [:]

  /// How far a text is accepted. If it defines types, they are its schema.
  mutating func outcome(_ text: String, on schemaText: String?) -> JSON {
    let document: Document
    do throws(Diagnostics) {
      document = try Document(parsing: Source(name: "case", text: text))
    } catch {
      return outcome("no document", error.elements)
    }
    let executable = document.definitions.filter(\.isExecutable)
    let types = document.definitions.filter { !$0.isExecutable }
    var schemaText = schemaText
    if !types.isEmpty {
      schemaText = executable.isEmpty ? text : Document(definitions: types).text
    }
    guard let schemaText else { return outcome("document") }
    do throws(Diagnostics) {
      let schema = try schema(schemaText).get()
      if executable.isEmpty { return outcome("schema") }
      let findings = Document(definitions: executable).validate(against: schema)
      return outcome(findings.isEmpty ? "valid" : "invalid", findings)
    } catch {
      return outcome("no schema", error.elements)
    }
  }

  private mutating func schema(_ text: String) -> Result<ServiceSchema, Diagnostics> {
    if let known = schemas[text] { return known }
    let result = Result { () throws(Diagnostics) in
      try ServiceSchema(sdl: text, rules: .specification)
    }
    schemas[text] = result
    return result
  }

  private func outcome(_ outcome: String, _ findings: [Diagnostic] = []) -> JSON {
    let error = findings.first { $0.severity == .error }
    return [
      "outcome": .string(outcome),
      "message": .string(error.map { "\($0.code): \($0.message)" } ?? ""),
    ]
  }
}

extension Document.Definition {
  fileprivate var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    default: false
    }
  }
}
