import Foundation
import GraphJSON
import GraphQLSchema

// Executes requests against data that is derived from response paths, as differential.py does with
// graphql-core: execute-documents SCHEMA < requests.jsonl > results.jsonl. With --check it is only said
// which documents are accepted; see acceptance.py.

var arguments = CommandLine.arguments.dropFirst()
let isCheck = arguments.first == "--check"
if isCheck { arguments.removeFirst() }
guard arguments.count == 1, let path = arguments.first else {
  let usage = "usage: execute-documents [--check] SCHEMA < requests\n"
  FileHandle.standardError.write(Data(usage.utf8))
  exit(2)
}
let bytes = try Data(contentsOf: URL(filePath: path))
let schema = try Schema.read([Source(name: "schema", bytes: Array(bytes))])
let executor = Executor(schema: schema, resolver: PathResolver())

while let line = readLine() {
  let request = try JSON(parsing: Array(line.utf8))
  if isCheck {
    print(check(request))
  } else {
    let result = await respond(to: request)
    print(JSON.object(["name": request["name"] ?? .null, "response": result.json]))
  }
}

func respond(to request: JSON) async -> ExecutionResult {
  guard case .string(let text)? = request["document"] else {
    return ExecutionResult(requestErrors: [ResponseError("no document")])
  }
  let document: Document
  do throws(Diagnostics) {
    document = try Document(parsing: Source(name: "document", text: text))
  } catch {
    return ExecutionResult(requestErrors: error.elements.map { ResponseError($0) })
  }
  let violations = document.validate(against: schema)
  if !violations.isEmpty {
    return ExecutionResult(requestErrors: violations.map { ResponseError($0) })
  }
  var variables = JSONObject()
  if case .object(let given)? = request["variables"] { variables = given }
  var name: String?
  if case .string(let given)? = request["operationName"] { name = given }
  if let operation = try? Executor.operation(in: document, named: name),
    operation.operationType == .subscription
  {
    do throws(SubscriptionFailure) {
      let results = try await executor.subscribe(
        document, operationName: name, variables: variables)
      return await firstResult(results)
    } catch {
      return error.result
    }
  }
  return await executor.execute(document, operationName: name, variables: variables)
}

func firstResult(_ results: ResponseStream) async -> ExecutionResult {
  do {
    for try await result in results { return result }
    return ExecutionResult(requestErrors: [ResponseError("no event")])
  } catch {
    return ExecutionResult(requestErrors: [ResponseError("\(error)")])
  }
}
