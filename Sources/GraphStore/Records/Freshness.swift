import GraphQLRuntime

/// Which unchanged entities a response has brought lately, so that noting it does not cost a write each
/// time.
final class Freshness: Sendable {
  /// After so many entities the table starts anew; then the rows decide.
  private static let most = 50_000
  /// How far the clock may be put back without a word, in milliseconds.
  static let correction: Int64 = 60_000
  private let noted = Locked<[GraphQL.EntityKey: Int64]>([:])

  /// How much earlier the noted time may be, in milliseconds: an age is never too low, and too high by
  /// this at most.
  static func resolution(_ maximumAge: Duration?) -> Int64 {
    min(60_000, (maximumAge.map { Int64($0 / .milliseconds(1)) } ?? .max) / 2)
  }

  /// Whether the time of an entity that came unchanged is to be noted again.
  func isDue(_ key: GraphQL.EntityKey, at now: Int64, resolution: Int64) -> Bool {
    noted.withLock { noted in
      if let last = noted[key], now - last < resolution, last <= now { return false }
      if noted.count >= Self.most { noted = [:] }
      noted[key] = now
      return true
    }
  }

  /// Forgets what was noted: a transaction that noted it was undone.
  func forget() { noted.withLock { $0 = [:] } }
}

extension Transaction {
  /// Notes that a response has brought the entities of a record.
  func noteArrival(_ record: GraphQL.Record) throws(StoreError) {
    let now = committed.now()
    if committed.file == nil || !policies.areAllStored {
      for keys in [record.inserted, record.updated, record.unchanged] {
        for key in keys where place(of: key.typeName) == nil { memory.note(key, at: now) }
      }
    }
    if let uses = committed.uses {
      for keys in [record.inserted, record.updated, record.unchanged] {
        for key in keys { uses.note(key) }
      }
    }
    // A row that is written has the time anyway.
    for key in record.unchanged {
      guard let (file, connection) = place(of: key.typeName) else { continue }
      let resolution = Freshness.resolution(policies.policy(ofType: key.typeName).maximumAge)
      guard committed.freshness.isDue(key, at: now, resolution: resolution),
        let number = try file.types.number(of: key.typeName, on: connection)
      else { continue }
      let statement = try connection.prepared(.noteArrival)
      statement.bind(number, at: 1)
      statement.bind(key.key, at: 2)
      statement.bind(now, at: 3)
      statement.bind(now - resolution, at: 4)
      try statement.finish()
    }
  }
}
