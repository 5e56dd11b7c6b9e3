import GraphQLSchema

/// Why an input value cannot be coerced, and the position inside the value.
struct InputFailure: Error {
  /// A sentence with a full stop.
  let message: String
  /// The position of the value in the document; nil if it is not a literal.
  var range: SourceRange?
  /// The path inside the value: `.lines[0].quantity`.
  var path = ""

  init(_ message: String, at range: SourceRange? = nil) {
    self.message = message
    self.range = range
  }

  /// The same failure, relative to the enclosing value.
  func inside(_ step: String, _ range: SourceRange? = nil) -> InputFailure {
    var failure = self
    failure.path = step + path
    failure.range = self.range ?? range
    return failure
  }
}
