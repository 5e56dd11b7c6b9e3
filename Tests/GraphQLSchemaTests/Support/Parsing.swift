import GraphQLSchema

func parse(_ text: String) throws -> Document {
  try Document(parsing: Source(name: "test", text: text))
}

func parseValue(_ text: String) throws -> Document.Value {
  try Document.Value(parsing: Source(name: "test", text: text))
}

/// The errors in a document, one line each; empty if it can be parsed.
func syntaxErrors(_ text: String) -> [String] {
  syntaxErrors(Array(text.utf8))
}

func syntaxErrors(_ bytes: [UInt8]) -> [String] {
  do {
    _ = try Document(parsing: Source(name: "test", bytes: bytes))
    return []
  } catch {
    return error.elements.map {
      let place = $0.position.map { "\($0.line):\($0.column)" } ?? "-"
      return "\(place) \($0.message)" + ($0.suggestion.map { " " + $0 } ?? "")
    }
  }
}
