import Foundation
import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

// Generates code for programs of documents, as `graphql-generator check` does, many in one process:
// check-documents SCHEMA CONFIGURATION < programs.jsonl > outcomes.jsonl. programs.py describes the programs.

guard CommandLine.arguments.count == 3 else {
  let usage = "usage: check-documents SCHEMA CONFIGURATION < programs\n"
  FileHandle.standardError.write(Data(usage.utf8))
  exit(2)
}
let sources = try CommandLine.arguments.dropFirst().map { path in
  Source(name: path, bytes: Array(try Data(contentsOf: URL(filePath: path))))
}
let schema = try ServiceSchema.read([sources[0]])
let pipeline = OperationsPipeline(configuration: try Configuration(parsing: sources[1]))

while let line = readLine() {
  let program = try JSON(parsing: Array(line.utf8))
  guard case .array(let texts) = program else { fatalError("a program without documents") }
  let documents = texts.enumerated().map { index, text in
    guard case .string(let text) = text else { fatalError("a document without text") }
    return Source(name: "\(index).graphql", text: text)
  }
  let output = pipeline.run(schema, documents: documents)
  let errors = output.diagnostics.filter { $0.severity == .error }
  let outcome: JSON = [
    "errors": .array(errors.map { .string("\($0.code): \($0.message)") }),
    // A namespace has a file too.
    "files": JSON(output.files.count { $0.name.hasSuffix(".graphql.swift") }),
    "operations": .array(
      output.operations.map { operation in
        ["name": .string(operation.name), "text": .string(operation.text)]
      }),
  ]
  print(outcome)
}
