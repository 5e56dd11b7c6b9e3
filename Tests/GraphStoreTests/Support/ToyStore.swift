import Foundation
import GraphQLRuntime

/// A store as another author would write one: whole responses in a dictionary, with the public
/// interface of the runtime only.
final class ToyStore: GraphQL.ResponseStore {
  private struct Request: Hashable {
    let document: String
    let variables: [UInt8]

    init<Root>(_ operation: GraphQL.Operation<Root>) {
      document = operation.document
      variables = operation.variables
    }
  }

  private struct Entry {
    let data: any GraphQL.ResponseRoot
    let errors: [GraphQL.ResponseError]
    let time: ContinuousClock.Instant
  }

  private struct State {
    var entries: [Request: Entry] = [:]
    var logouts: UInt64 = 0
  }

  private let lock = NSLock()
  nonisolated(unsafe) private var state = State()  // Used only with the lock.

  private func withState<T>(_ body: (inout State) throws -> T) rethrows -> T {
    try lock.withLock { try body(&state) }
  }

  var generation: GraphQL.StoreGeneration { GraphQL.StoreGeneration(withState { $0.logouts }) }

  func logOut() {
    withState { state in
      state.entries = [:]
      state.logouts += 1
    }
  }

  func store<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.StoreGeneration?
  ) throws {
    try withState { state in
      if let generation, generation.number != state.logouts { throw GraphQL.StaleGeneration() }
      guard operation.kind == .query, let data = response.data else { return }
      state.entries[Request(operation)] = Entry(data: data, errors: response.errors, time: .now)
    }
  }

  func response<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) -> GraphQL.StoredResponse<Root>? {
    guard let entry = withState({ $0.entries[Request(operation)] }),
      let data = entry.data as? Root
    else { return nil }
    let age = ContinuousClock.now - entry.time
    if let maximumAge, age >= maximumAge { return nil }
    return GraphQL.StoredResponse(data: data, age: age, errors: entry.errors)
  }
}
