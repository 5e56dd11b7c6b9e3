/// Why an input value cannot be coerced, and where in it.
struct InputFailure: Error {
  /// A sentence with a full stop.
  let message: String
  /// Where the value stands in the document; nil if it is no literal.
  var span: Span?
  /// The path inside the value: `.lines[0].quantity`.
  var path = ""

  init(_ message: String, at span: Span? = nil) {
    self.message = message
    self.span = span
  }

  /// The same failure, seen from the value that this one is part of.
  func inside(_ step: String, _ span: Span? = nil) -> InputFailure {
    var failure = self
    failure.path = step + path
    failure.span = self.span ?? span
    return failure
  }
}
