import GraphQLSchema

/// Collects diagnostics.
struct Report {
  private(set) var diagnostics: [Diagnostic] = []

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  mutating func error(
    _ code: String, _ message: String, at position: SourcePosition? = nil,
    suggestion: String? = nil, notes: [Diagnostic.Note] = []
  ) {
    diagnostics.append(
      Diagnostic(
        severity: .error, code: code, message: message, at: position, suggestion: suggestion,
        notes: notes))
  }

  /// Information for the user about a decision.
  mutating func note(_ code: String, _ message: String, at position: SourcePosition? = nil) {
    diagnostics.append(Diagnostic(severity: .note, code: code, message: message, at: position))
  }

  /// A likely mistake that prevents nothing.
  mutating func warning(
    _ code: String, _ message: String, at position: SourcePosition? = nil,
    suggestion: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        severity: .warning, code: code, message: message, at: position, suggestion: suggestion))
  }

  mutating func append(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  mutating func append(_ other: Report) {
    diagnostics += other.diagnostics
  }

  /// Throws if there are errors.
  func check() throws(Diagnostics) {
    if hasErrors { throw Diagnostics(diagnostics) }
  }
}
