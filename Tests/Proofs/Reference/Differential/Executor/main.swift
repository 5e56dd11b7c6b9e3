import Foundation
import GraphClient
import GraphJSON
import GraphQLSchema
import GraphTesting

// Responds to requests with data that is derived from response paths, as differential.py does with
// graphql-core: execute-documents SCHEMA < requests.jsonl > results.jsonl. With --check, it only
// reports which documents are accepted; see acceptance.py.

var arguments = CommandLine.arguments.dropFirst()
let isCheck = arguments.first == "--check"
if isCheck { arguments.removeFirst() }
guard arguments.count == 1, let path = arguments.first else {
  let usage = "usage: execute-documents [--check] SCHEMA < requests\n"
  FileHandle.standardError.write(Data(usage.utf8))
  exit(2)
}
let bytes = try Data(contentsOf: URL(filePath: path))
let schema = try ServiceSchema.read([Source(name: "schema", bytes: Array(bytes))])
let service = try Service(schema)

while let line = readLine() {
  let request = try JSON(parsing: Array(line.utf8))
  if isCheck {
    print(check(request))
  } else {
    var result = try await service.response(to: request)
    result["name"] = request["name"] ?? .null
    print(JSON.object(result))
  }
}
