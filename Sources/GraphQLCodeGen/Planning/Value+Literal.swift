import GraphQLSchema

extension Value {
  /// The value as a GraphQL literal on one line, for documentation.
  var literal: String {
    switch kind {
    case .variable(let name): "$" + name
    case .int(let text), .float(let text), .enum(let text): text
    case .string(let text): Self.quoted(text)
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    case .list(let items): "[" + items.map(\.literal).joined(separator: ", ") + "]"
    case .object(let fields):
      "{" + fields.map { $0.name + ": " + $0.value.literal }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
