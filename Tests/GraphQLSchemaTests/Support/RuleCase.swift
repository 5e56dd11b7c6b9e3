import GraphQLSchema
import Testing

/// A schema that breaks a rule, the expected findings, and a similar schema that does not break it.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let title: String
  let invalid: String
  /// Every finding as `line:column Rule: message suggestion`.
  let findings: [String]
  let valid: String

  init(_ title: String, invalid: String, findings: [String], valid: String) {
    self.title = title
    self.invalid = invalid
    self.findings = findings
    self.valid = valid
  }

  var testDescription: String { title }

  func check(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    #expect(problems(in: invalid) == findings, sourceLocation: sourceLocation)
    #expect(problems(in: valid) == [], sourceLocation: sourceLocation)
  }
}

/// The findings when a schema is read, one line each.
func problems(in sdl: String) -> [String] {
  do {
    return try ServiceSchema(sdl: sdl, rules: .specification).warnings.map(summary)
  } catch {
    return error.elements.map(summary)
  }
}

/// `line:column code: message suggestion`.
func summary(_ diagnostic: Diagnostic) -> String {
  let place = diagnostic.position.map { "\($0.line):\($0.column)" } ?? "-"
  let suggestion = diagnostic.suggestion.map { " " + $0 } ?? ""
  return "\(place) \(diagnostic.code): \(diagnostic.message)\(suggestion)"
}
