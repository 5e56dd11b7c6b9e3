import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore

/// Receives requests and does not respond before they are cancelled.
private struct SilentServer: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    try await Task.sleep(for: .seconds(3600))
    throw CancellationError()
  }
}

/// A change of one object and a read of a list of 10,000 objects, while mutations are expected to add objects to the
/// list.
func reportPendingChanges() async throws {
  let club = GraphQL.EntityKey(typeName: "Club", key: "c")
  let persons = (0..<10_000).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
  for pending in [0, 2, 20] {
    let store = try Graph.Store(
      schema: Sample.schema, file: folder.appending(path: "pending-\(pending)"))
    try await store.write(
      json: Array(#"{"id":"c","persons":[\#(persons)]}"#.utf8), as: Sample.Club.self)
    let client = Graph.Client(
      endpoint: URL(string: "https://localhost")!, transport: SilentServer(), store: store)
    let mutations = (0..<pending).map { number in
      Task {
        let person = GraphQL.EntityKey(typeName: "Person", key: "new-\(number)")
        try await client.mutate(
          Sample.buildMutation { $0.renameClub(id: "c", name: "x") { $0.id() } },
          optimistic: [.create(person, [:]), .append(person, to: .list("persons", of: club))])
      }
    }
    func count() throws -> Int { try store.object(Sample.Club.self, key: "c")?.persons.count ?? 0 }
    while try count() < 10_000 + pending { await Task.yield() }
    var row = Row("a change, \(pending) expected ones", count: 1)
    for age in 0..<20 {
      row.store.append(
        try await microseconds {
          try await store.write(
            json: Array(#"{"id":"1","age":\#(age)}"#.utf8), as: Sample.Person.self)
          let found = try count()
          precondition(found == 10_000 + pending)
        })
    }
    row.report()
    for mutation in mutations { mutation.cancel() }
  }
}
