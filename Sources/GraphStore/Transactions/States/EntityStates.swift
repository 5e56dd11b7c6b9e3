import GraphJSON
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

/// The writer's information about one entity: its stored row, and the changes of the open
/// transaction.
final class EntityState {
  let key: GraphQL.EntityKey
  /// The committed row; nil if there is none.
  private(set) var row: StoredRow?
  /// Whether the open transaction has given the entity another record, or deleted it.
  private(set) var isChanged = false
  private var changed: RecordText?
  /// The row that the open transaction wrote; nil if it wrote none.
  private var written: Int64?
  /// The expected changes of the entity, over its known state; nil for nearly all.
  private(set) var overlay: Overlay?
  /// The committed value of the same.
  private var committedOverlay: Overlay?
  /// Whether a response in the open transaction contains the entity.
  private(set) var isFromResponse = false
  /// Whether the entity has appeared or disappeared in the open transaction, even if only for a part of it.
  private(set) var hasAppearedOrGone = false
  /// Whether the open transaction has given the overlay another base, or removed it.
  private(set) var isBaseChanged = false
  /// The effect of the write with the number `write` on the entity.
  var effect = WriteOutcome.Effect.unchanged
  var write = 0
  /// The last occurrence of the entity in the response of that write, as the normalizer numbers them; nil if none of
  /// them has a list.
  var occurrence: Int?
  /// When a response last contained the entity, in milliseconds since 1970, as its row has it. nil if
  /// the writer has not written this time yet, so that only the row has it.
  var arrival: Int64?

  init(key: GraphQL.EntityKey, row: StoredRow?, overlay: Overlay? = nil) {
    self.key = key
    self.row = row
    self.overlay = overlay
    committedOverlay = overlay
  }

  /// The record as the open transaction sees it; damaged or not.
  var record: RecordText? { isChanged ? changed : row?.record }

  /// New values are merged into this: the record without expected changes.
  var base: RecordText? {
    guard let overlay else { return record }
    return overlay.base.map(RecordText.init)
  }

  /// The record as the open transaction sees it; nil if it is damaged.
  var json: JSONDocument? { record?.json }

  /// Gives the entity another record, or deletes it for nil; true if this is the transaction's
  /// first change of it.
  ///
  /// - Parameter isFromResponse: whether a response contains the entity.
  func change(_ record: RecordText?, isFromResponse: Bool) -> Bool {
    defer { isChanged = true }
    if (self.record == nil) != (record == nil) { hasAppearedOrGone = true }
    self.isFromResponse = self.isFromResponse || isFromResponse
    changed = record
    return !isChanged
  }

  /// Gives the entity another overlay, or removes it for nil.
  func setOverlay(_ overlay: Overlay?, isBaseChanged: Bool) {
    self.overlay = overlay
    self.isBaseChanged = self.isBaseChanged || isBaseChanged
  }

  /// Records the written row, which becomes valid with the commit; 0 in a store without a file.
  func note(row id: Int64) { written = id }

  /// Whether the recorded time of an entity that arrived unchanged is unknown or too old. If so, sets
  /// ``arrival``; the caller writes the row.
  func isDue(at now: Int64, resolution: Int64) -> Bool {
    if let arrival, now - arrival < resolution, arrival <= now { return false }
    arrival = now
    return true
  }

  /// The changes of the open transaction to the entity are stored now.
  ///
  /// - Returns: the size of the record that is kept from now on.
  func commit() -> Int {
    if isChanged {
      row = changed.flatMap { record in written.map { StoredRow(record: record, id: $0) } }
    }
    let size = isChanged ? row?.record.size ?? 0 : 0
    if overlay != nil || committedOverlay != nil { committedOverlay = overlay }
    rollback()
    return size
  }

  func rollback() {
    keepRow()
    // Nearly no state has one, and replacing nil by nil takes time as well.
    if overlay != nil || committedOverlay != nil { overlay = committedOverlay }
    isBaseChanged = false
  }

  /// The row stays as it was committed.
  func keepRow() {
    isChanged = false
    isFromResponse = false
    hasAppearedOrGone = false
    changed = nil
    written = nil
  }
}

/// The writer's information about a type.
final class TypeState {
  let name: String
  let persistence: Graph.TypePolicy.Persistence
  let hasInverses: Bool
  /// Whether its entities are not in a file.
  let isTransient: Bool
  /// Whether its entities may have links to some that are not in a file.
  let leadsToTransient: Bool
  /// Its number in the file, once it has one.
  let number: Int64?
  /// Whether the writer knows all entities in the file: an unknown entity does not exist.
  let isComplete: Bool
  /// See ``Freshness/resolution(_:)``.
  let resolution: Int64

  init(
    name: String, policies: Policies, isTransient: Bool, number: Int64?, isComplete: Bool
  ) {
    let policy = policies.policy(ofType: name)
    self.name = name
    persistence = policy.persistence ?? .persistent
    resolution = Freshness.resolution(policy.maximumAge)
    hasInverses = !policies.inverses(ofType: name).isEmpty
    self.isTransient = isTransient
    leadsToTransient = !isTransient && policies.leadsToTransient(name)
    self.number = number
    self.isComplete = isComplete
  }
}

extension Graph.Transaction {
  /// The writer's information about the type with a name.
  func typeState(of typeName: String) throws(Graph.StoreError) -> TypeState {
    if let lastType, lastType.name == typeName { return lastType }
    let type: TypeState
    if let known = states.types[typeName] { type = known } else { type = try lookUp(typeName) }
    lastType = type
    return type
  }

  private func lookUp(_ typeName: String) throws(Graph.StoreError) -> TypeState {
    let isTransient = policies.isTransient(typeName)
    var number: Int64?
    var isComplete = states.complete.contains(typeName)
    if let file = committed.file, let connection, !isTransient {
      number = try file.typeNumbers.number(of: typeName, on: connection)
      if !isComplete {
        isComplete =
          try number.map { number throws(Graph.StoreError) in
            try connection.isEmpty(type: number)
          } ?? true
        if isComplete { states.complete.insert(typeName) }
      }
    }
    let type = TypeState(
      name: typeName, policies: policies, isTransient: isTransient, number: number,
      isComplete: isComplete)
    // A type of the file that has no number yet gets one with its first entity.
    if isTransient || number != nil { states.types[typeName] = type }
    return type
  }
}
