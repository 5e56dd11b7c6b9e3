import Foundation
import GraphJSON

@testable import GraphQLRuntime

// Reads responses with typed operations: exercise < responses.jsonl > values.jsonl. The other files of the program
// are generated: the schema's types, those of the documents, and what calls each of their properties.

let stored = Stored()
while let line = readLine() {
  let input = try JSON(parsing: Array(line.utf8))
  guard case .string(let name)? = input["operation"], case .array(let bodies)? = input["bodies"]
  else {
    fatalError("a line without an operation or responses")
  }
  let texts = bodies.map { body in
    guard case .string(let text) = body else { fatalError("a response that is not a text") }
    return text
  }
  var kept: String?
  if case .string(let text)? = input["stored"] { kept = text }
  print(try await exercise(name, texts, kept, stored))
}

/// The values of all properties of an operation's data, for each response, and whether the store gives the data of
/// `kept` again.
func values<Operation: GraphQL.TypedOperation>(
  _ query: Operation, _ bodies: [String], _ kept: String?, _ stored: Stored
) async throws -> String where Operation.Response: Shown & Hashable {
  let operation = try query.operation()
  var output = Output()
  output.writer.beginObject()
  output.writer.key("variables")
  output.writer.string(String(decoding: operation.variables, as: UTF8.self))
  output.writer.key("document")
  output.writer.string(operation.document)
  output.writer.key("responses")
  output.writer.beginArray()
  var first: Operation.Response?
  for body in bodies {
    var padded = Array(body.utf8)
    JSONDocument.pad(&padded)
    let isUsual = operation.usualResponse(padded) != nil
    output.writer.beginObject()
    output.add("usual", isUsual)
    let data = try operation.response(from: Array(body.utf8)).data
    output.add("data", data)
    let known = first ?? data
    first = known
    output.add("equal", data == known && data?.hashValue == known?.hashValue)
    output.writer.endObject()
  }
  output.writer.endArray()
  output.writer.key("stored")
  output.writer.beginArray()
  if let kept {
    for problem in try await stored.check(operation, kept) { problem.show(&output) }
  }
  output.writer.endArray()
  output.writer.endObject()
  return String(decoding: output.writer.finish(), as: UTF8.self)
}
