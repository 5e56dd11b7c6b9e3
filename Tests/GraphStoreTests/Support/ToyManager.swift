import Foundation
import GraphJSON
import GraphQLRuntime

/// A model manager as another author would write one: records in a dictionary, with the public
/// interface of the runtime only.
final class ToyManager: GraphQL.ModelManager {
  private struct State {
    var records: [GraphQL.EntityKey: GraphQL.EntityRecord] = [:]
    var times: [GraphQL.EntityKey: ContinuousClock.Instant] = [:]
    var logouts: UInt64 = 0
  }

  private let lock = NSLock()
  nonisolated(unsafe) private var state = State()  // Used only with the lock.

  private func withState<T>(_ body: (inout State) throws -> T) rethrows -> T {
    try lock.withLock { try body(&state) }
  }

  var generation: GraphQL.ModelGeneration { GraphQL.ModelGeneration(withState { $0.logouts }) }

  func logOut() {
    withState { state in
      state.records = [:]
      state.logouts += 1
    }
  }

  func object<Object: GraphQL.AbstractResponse>(_ type: Object.Type, key: String) -> Object? {
    record(key, of: type).flatMap { Object.object(from: $0) }
  }

  func objects<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, keys: [String]
  ) -> [Object?] {
    keys.map { object(type, key: $0) }
  }

  private func record(_ key: String, of type: GraphQL.AbstractResponse.Type) -> GraphQL.JSON? {
    withState { $0.records[GraphQL.EntityKey(typeName: "\(type)", key: key)]?.fields }
  }

  func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.ModelGeneration?
  ) throws -> GraphQL.Record {
    try withState { state in
      if let generation, generation.number != state.logouts { throw GraphQL.StaleGeneration() }
      return keep(operation.records(of: response), in: &state)
    }
  }

  func write(json: [UInt8], as type: GraphQL.AbstractResponse.Type) throws -> GraphQL.Record {
    let json = try JSON(parsing: json)
    let objects = if case .array(let elements) = json { elements } else { [json] }
    let records = objects.compactMap { object -> GraphQL.EntityRecord? in
      guard case .string(let key)? = object["id"] else { return nil }
      return GraphQL.EntityRecord(
        key: GraphQL.EntityKey(typeName: "\(type)", key: key), fields: object)
    }
    var written = withState { keep(records, in: &$0) }
    written.roots = records.map(\.key)
    return written
  }

  private func keep(
    _ records: [GraphQL.EntityRecord], in state: inout State
  ) -> GraphQL.Record {
    var written = GraphQL.Record()
    for record in records {
      state.times[record.key] = .now
      guard var known = state.records[record.key] else {
        state.records[record.key] = record
        written.inserted.append(record.key)
        continue
      }
      let old = known
      known.merge(record)
      state.records[record.key] = known
      if known == old {
        written.unchanged.append(record.key)
      } else {
        written.updated.append(record.key)
      }
    }
    return written
  }

  func answer<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.ModelAnswer<Root>? {
    let now = ContinuousClock.now
    var oldest = Duration.zero
    let state = withState { $0 }
    let data = try operation.answer { key in
      if let time = state.times[key] { oldest = max(oldest, now - time) }
      return state.records[key]?.fields
    }
    guard let data, maximumAge.map({ oldest < $0 }) ?? true else { return nil }
    return GraphQL.ModelAnswer(data: data, age: oldest)
  }

  func purge(_ type: GraphQL.AbstractResponse.Type, key: String) {
    withState { $0.records[GraphQL.EntityKey(typeName: "\(type)", key: key)] = nil }
  }

  func purge<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
  ) {
    withState { state in
      for (key, record) in state.records where key.typeName == "\(type)" {
        if Object.object(from: record.fields).map(condition) ?? false { state.records[key] = nil }
      }
    }
  }

  func refresh<Object: GraphQL.AbstractResponse>(_ object: Object) -> Object? {
    object.field("id").flatMap { self.object(Object.self, key: "\($0)") }
  }
}
