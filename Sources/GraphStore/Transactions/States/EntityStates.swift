import GraphQLRuntime

/// The states of the entities that the writer has processed. It belongs to the writer's queue.
final class EntityStates {
  /// In bytes. A larger table is emptied before the next transaction.
  private static let largest = 32 << 20
  /// The approximate size of a state without its record, in bytes.
  private static let stateSize = 256

  private(set) var states: [GraphQL.EntityKey: EntityState] = [:]
  /// Types that had no entity in the file when this table was last emptied. An entity of such a
  /// type that is not in the table does not exist.
  var complete: Set<String> = []
  /// Information about types, by their names.
  var types: [String: TypeState] = [:]
  /// The indexes of types in the file, by the types' numbers.
  var indexes: [Int64: IndexMaintenance] = [:]
  private var size = 0
  /// See ``StoreFile/version()``.
  private(set) var version: Int64?
  /// Whether the file has overlays; nil while that is unknown.
  var hasOverlays: Bool?
  /// The entities with expected changes that link to an object, by the object; nil while they are unknown. It may
  /// contain some whose changes have ended.
  var linked: [GraphQL.EntityKey: Set<GraphQL.EntityKey>]?
  /// Whether rows were changed without their states: the states are dropped before the next
  /// transaction.
  var isStale = false
  /// Numbers the writes, for ``EntityState/write``.
  private var writes = 0

  subscript(key: GraphQL.EntityKey) -> EntityState? { states[key] }

  func insert(_ state: EntityState) {
    states[state.key] = state
    size += Self.stateSize
  }

  /// Reserves memory for the objects of a list, if it is long compared with the table.
  func reserve(_ count: Int) {
    if count > states.count * 4 { states.reserveCapacity(states.count + count) }
  }

  func nextWrite() -> Int {
    writes += 1
    return writes
  }

  /// Counts records that are kept from now on.
  func add(_ bytes: Int) { size += bytes }

  /// Drops the changes of a transaction that was undone.
  func forgetUndone() {
    types = [:]
    indexes = [:]
    hasOverlays = nil
    linked = nil
    for state in states.values { state.arrival = nil }
  }

  /// Drops everything, in a transaction that has changed nothing yet.
  func forget() {
    isStale = true
    begin(version: version)
  }

  /// Called between transactions. Drops everything if it is too large, or if another store or
  /// process has committed since the last call.
  func begin(version: Int64?) {
    if isStale || version != self.version || size > Self.largest {
      states = [:]
      complete = []
      types = [:]
      indexes = [:]
      hasOverlays = nil
      linked = nil
      size = 0
      isStale = false
    }
    self.version = version
  }
}
