import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import Observation

/// The time from the call that writes a change until the only live query that selects it has the new value.
@MainActor func reportLiveQueries() async throws {
  for count in [1, 100, 10_000] {
    let store = try Graph.Store(schema: Sample.schema, file: folder.appending(path: "live-\(count)"))
    let client = Graph.Client(endpoint: URL(string: "https://localhost")!, store: store)
    var queries: [Graph.LiveQuery<Sample.Query>] = []
    for number in 0..<count {
      let query = Sample.buildQuery { $0.person(id: .init("\(number)")) { $0.id().age() } }
      let operation = try query.operation()
      let data = #"{"data":{"person":{"id":"\#(number)","age":0}}}"#
      try await store.write(try operation.response(from: Array(data.utf8)), of: operation)
      queries.append(Graph.LiveQuery(query, in: client, cachePolicy: .cacheOnly))
    }
    let query = queries[count / 2]
    var times: [Double] = []
    for age in 1...200 {
      let text = Array(#"{"id":"\#(count / 2)","age":\#(age)}"#.utf8)
      let clock = ContinuousClock()
      let start = clock.now
      async let write: Void = { _ = try await store.write(json: text, as: Sample.Person.self) }()
      while query.value?.person?.age != age {
        await withCheckedContinuation { continuation in
          withObservationTracking {
            _ = query.value
          } onChange: {
            continuation.resume()
          }
        }
      }
      times.append((clock.now - start) / .microseconds(1))
      try await write
    }
    let median = times.sorted()[times.count / 2]
    print(
      "one change, \(count) live queries".padding(toLength: 30, withPad: " ", startingAt: 0)
        + String(format: "%8.2f us until the value, elapsed", median))
  }
}
