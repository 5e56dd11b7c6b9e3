import Foundation
import GitHubAPI
import GraphClient
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting

// github-store write|read SCHEMA FILE COUNT
//
// `write` sends queries to an endpoint through a client with a store, and compares the values in
// the store with those of the server. `read` does the same in another run, with the endpoint
// switched off.

struct SwitchedOff: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    throw Graph.TransportError(.cannotConnect, message: "the endpoint is switched off")
  }
}

func query(_ number: Int) -> GitHub.QueryQuery {
  GitHub.buildQuery {
    $0
      .repository(name: "repository\(number)", owner: "owner\(number % 7)") {
        $0
          .id().name().nameWithOwner().isPrivate().createdAt().url()
          .owner { $0.login().onUser { $0.id().name() }.onOrganization { $0.id().name() } }
          .issues(first: 1 + number % 5) {
            $0
              .totalCount()
              .nodes {
                $0
                  .id().number().title().state().author { $0.login() }
                  .labels(first: 3) { $0.nodes { $0.id().name().color() } }
              }
          }
          .languages(first: 2) { $0.edges { $0.size().node { $0.id().name() } } }
      }
      .node(id: GraphQL.ID(rawValue: "node\(number % 11)")) {
        $0.id().onIssue { $0.title() }.onUser { $0.login() }.onRepository { $0.name() }
      }
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[4]) else { exit(2) }
let schema = try ServiceSchema.read([
  Source(name: "github.graphql", bytes: Array(Data(contentsOf: URL(filePath: arguments[2]))))
])
let store = try Graph.Store(schema: GitHub.schema, file: URL(filePath: arguments[3]))
let writes = arguments[1] == "write"
let transport: any Graph.Transport = writes ? try MockEndpoint(schema: schema) : SwitchedOff()
let client = Graph.Client(
  endpoint: URL(string: "https://api.github.example/graphql")!, transport: transport,
  cachePolicy: writes ? .networkOnly : .cacheFirst, store: store)
var compared = 0
for number in 0..<count {
  let query = query(number)
  let response = try await client.query(query)
  let stored = try store.read(query.operation())
  guard let data = response.data, let read = stored.data, response.storeError == nil else {
    print("query \(number): \(stored.missing.count) values are missing")
    exit(1)
  }
  guard read.rawText(\.repository) == data.rawText(\.repository),
    read.rawText(\.node) == data.rawText(\.node), read.repository?.id == data.repository?.id
  else {
    print("query \(number): the store returns other values than the server sent")
    exit(1)
  }
  compared += 1
}
let counts = try store.counts()
print(
  "ok \(writes ? "wrote" : "read without network") \(compared) responses,",
  "\(counts.values.reduce(0, +)) objects of \(counts.count) types")
