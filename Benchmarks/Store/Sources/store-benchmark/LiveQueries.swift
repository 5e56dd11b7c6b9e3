import Foundation
import GraphClient
import GraphLive
import GraphQLRuntime
import GraphStore
import Observation

/// The time from the call that writes a change until the only live query that selects it has the new value.
@MainActor func reportLiveQueries() async throws {
  for count in [1, 100, 10_000] {
    let store = try Graph.Store(
      schema: Sample.schema, file: folder.appending(path: "live-\(count)"))
    let client = Graph.Client(endpoint: URL(string: "https://localhost")!, store: store)
    func query(_ person: Int) -> Sample.QueryQuery {
      Sample.buildQuery { $0.person(id: GraphQL.ID(rawValue: "\(person)")) { $0.id().age() } }
    }
    for person in 0..<100 {
      let operation = try query(person).operation()
      let data = #"{"data":{"person":{"id":"\#(person)","age":0}}}"#
      try await store.write(try operation.response(from: Array(data.utf8)), of: operation)
    }
    // The others are about 99 persons.
    let others = (1..<count).map {
      Graph.LiveQuery(query(1 + $0 % 99), in: client, cachePolicy: .cacheOnly)
    }
    let query = Graph.LiveQuery(query(0), in: client, cachePolicy: .cacheOnly)
    var times: [Double] = []
    for age in 1...200 {
      let text = Array(#"{"id":"0","age":\#(age)}"#.utf8)
      let clock = ContinuousClock()
      let start = clock.now
      let write = Task { try await store.write(json: text, as: Sample.Person.self) }
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
      _ = try await write.value
    }
    let median = times.sorted()[times.count / 2]
    print(
      "one change, \(count) live queries".padding(toLength: 30, withPad: " ", startingAt: 0)
        + String(format: "%8.2f us until the value, elapsed", median))
    withExtendedLifetime(others) {}
  }
}
