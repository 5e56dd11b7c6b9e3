import Foundation
import GraphQLRuntime
import GraphStore

// Writes persons, each with its club, until it is killed. It prints the number of each person after
// the write was acknowledged. GraphStoreTests runs it.
//
// Usage: store-writer FILE
guard CommandLine.arguments.count == 2 else {
  print("usage: store-writer FILE")
  exit(2)
}
let store = try Graph.Store(schema: Sample.schema, file: URL(filePath: CommandLine.arguments[1]))
var person = 0
while true {
  let json = #"{"id":"\#(person)","club":{"id":"c\#(person % 7)","name":"Club"}}"#
  try await store.write(json: Array(json.utf8), as: Sample.Person.self)
  try FileHandle.standardOutput.write(contentsOf: Data("\(person)\n".utf8))
  person += 1
}
