import GraphJSON
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

extension InputFailure {
  static func null(_ type: TypeReference, at range: SourceRange? = nil) -> InputFailure {
    InputFailure("null is not a value of \(quoted(type.description)).", at: range)
  }

  static func nullVariable(_ name: String, _ type: TypeReference, at range: SourceRange)
    -> InputFailure
  {
    InputFailure(
      "The variable \(quoted("$" + name)) has no value, but a value of type "
        + "\(quoted(type.description)) is required.", at: range)
  }

  static func mismatch(_ value: JSON, _ typeName: String) -> InputFailure {
    InputFailure("\(value.phrase) is not a value of \(quoted(typeName)).")
  }

  static func mismatch(_ value: Document.Value, _ typeName: String) -> InputFailure {
    InputFailure("The value is not one of \(quoted(typeName)).", at: value.range)
  }

  static func unknown(_ name: String, in type: EnumType, at range: SourceRange? = nil)
    -> InputFailure
  {
    InputFailure(
      sentences(
        "\(quoted(name)) is not a value of \(quoted(type.name)).",
        didYouMean(name, among: type.values.lazy.map(\.name))), at: range)
  }

  static func unknownField(
    _ name: String, of type: InputObjectType, at range: SourceRange? = nil
  ) -> InputFailure {
    InputFailure(
      sentences(
        "\(quoted(type.name)) has no input field \(quoted(name)).",
        didYouMean(name, among: type.fields.lazy.map(\.name))), at: range)
  }

  static func oneOf(_ type: InputObjectType, at range: SourceRange? = nil) -> InputFailure {
    InputFailure(
      "Exactly one input field of \(quoted(type.name)) must be given, and it must not be null.",
      at: range)
  }

  private static func sentences(_ first: String, _ second: String?) -> String {
    second.map { "\(first) \($0)" } ?? first
  }
}

extension JSON {
  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The value as messages show it, shortened.
  var phrase: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): "The number \(quoted(number.text))"
    case .string(let text): "The string \(quoted(text))"
    case .array: "A list"
    case .object: "An object"
    }
  }
}
