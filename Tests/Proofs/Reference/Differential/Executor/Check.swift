import GraphJSON
import GraphQLSchema

/// Checks whether a text is a document and, if all of it is executable, whether it is valid.
func check(_ request: JSON) -> JSON {
  guard case .string(let text)? = request["document"] else { return ["errors": ["no document"]] }
  let document: Document
  do throws(Diagnostics) {
    document = try Document(parsing: Source(name: "document", text: text))
  } catch {
    return ["isDocument": false, "errors": .array(error.elements.map { .string($0.message) })]
  }
  let isExecutable = document.definitions.allSatisfy { definition in
    switch definition {
    case .operation, .fragment: true
    default: false
    }
  }
  guard isExecutable else { return ["isDocument": true] }
  let violations = document.validate(against: schema)
  return [
    "isDocument": true, "isValid": .bool(violations.isEmpty),
    "errors": .array(violations.map { .string($0.message) }),
  ]
}
