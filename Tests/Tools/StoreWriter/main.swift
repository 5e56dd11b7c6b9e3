import Foundation
import GraphQLRuntime
import GraphStore

// Writes persons, each with its club, until it is killed. It prints the number of each person after
// the write was acknowledged. GraphStoreTests runs it.
//
// Usage: store-writer FILE [PERSONS]
//
// With a number of persons, it writes the same ones again and again, so the file does not grow.
let arguments = CommandLine.arguments
let persons = arguments.count > 2 ? Int(arguments[2]) : .max
guard 2...3 ~= arguments.count, let persons, persons > 0 else {
  print("usage: store-writer FILE [PERSONS]")
  exit(2)
}
let store = try Graph.Store(schema: Sample.schema, file: URL(filePath: arguments[1]))
var person = 0
while true {
  let id = person % persons
  let json = #"{"id":"\#(id)","name":"\#(person)","club":{"id":"c\#(person % 7)","name":"Club"}}"#
  try await store.write(json: Array(json.utf8), as: Sample.Person.self)
  try FileHandle.standardOutput.write(contentsOf: Data("\(person)\n".utf8))
  person += 1
}
