import GraphJSON
import GraphQLRuntime

/// What the writer knows of one entity: its stored row, and what the open transaction made of it.
final class Slot {
  let key: GraphQL.EntityKey
  /// The row as it is committed; nil when there is none.
  private(set) var row: StoredRow?
  /// Whether the open transaction has given the entity another record, or none.
  private(set) var isChanged = false
  private var changed: RecordText?
  /// The row that the open transaction wrote; nil when it wrote none.
  private var written: Int64?
  /// What is expected to become of the entity, over what is known of it; nil for nearly all.
  private(set) var overlay: Overlay?
  /// The same as it is committed.
  private var committedOverlay: Overlay?
  /// Whether the open transaction has changed what is known, and not only what is expected.
  private(set) var isTold = false
  /// Whether the open transaction has given the overlay another base, or taken it away.
  private(set) var isBaseChanged = false
  /// What the write with the number `write` did to the entity.
  var effect = Outcome.Effect.unchanged
  var write = 0
  /// When a response last brought the entity, in milliseconds since 1970, as its row has it; nil where
  /// only the row knows.
  var arrival: Int64?

  init(key: GraphQL.EntityKey, row: StoredRow?, overlay: Overlay? = nil) {
    self.key = key
    self.row = row
    self.overlay = overlay
    committedOverlay = overlay
  }

  /// The record as the open transaction sees it; damaged or not.
  var record: RecordText? { isChanged ? changed : row?.record }

  /// What comes is merged into this: the record without what is only expected.
  var base: RecordText? {
    guard let overlay else { return record }
    return overlay.base.map(RecordText.init)
  }

  /// The record as the open transaction sees it; nil where it is damaged.
  var json: JSONDocument? { record?.json }

  /// Gives the entity another record, nil to delete it; true if this is the transaction's first
  /// change of it.
  ///
  /// - Parameter isTold: whether the change is one of what is known.
  func change(_ record: RecordText?, isTold: Bool = true) -> Bool {
    defer { isChanged = true }
    self.isTold = self.isTold || isTold
    changed = record
    return !isChanged
  }

  /// Gives the entity another overlay, nil for none.
  func cover(_ overlay: Overlay?, isBaseChanged: Bool) {
    self.overlay = overlay
    self.isBaseChanged = self.isBaseChanged || isBaseChanged
  }

  /// Notes the row that is written and becomes true with the commit; 0 in a store without a file.
  func note(row id: Int64) { written = id }

  /// Whether the time of an entity that came unchanged is to be noted again, which the caller does.
  func isDue(at now: Int64, resolution: Int64) -> Bool {
    if let arrival, now - arrival < resolution, arrival <= now { return false }
    arrival = now
    return true
  }

  /// What the open transaction has made of the entity is stored now.
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
    // Nearly no slot has one, and putting nothing in the place of nothing takes its time as well.
    if overlay != nil || committedOverlay != nil { overlay = committedOverlay }
    isBaseChanged = false
  }

  /// The row stays as it is committed.
  func keepRow() {
    isChanged = false
    isTold = false
    changed = nil
    written = nil
  }
}

/// The slots of the entities that the writer has met. It belongs to the writer's queue.
final class SlotTable {
  /// In bytes; when it is reached the next transaction starts with an empty table.
  private static let largest = 32 << 20
  /// About what a slot takes beside its record, in bytes.
  private static let slotSize = 256

  private(set) var slots: [GraphQL.EntityKey: Slot] = [:]
  /// Types of which the file had no entity when the table was last empty: what is not here is nowhere.
  var complete: Set<String> = []
  /// What is known of types, by their names.
  var types: [String: KnownType] = [:]
  /// The indexes of types in the file, by the types' numbers.
  var indexes: [Int64: IndexMaintenance] = [:]
  private var size = 0
  /// See ``StoreFile/version()``.
  private(set) var version: Int64?
  /// Whether the file has overlays; nil while that is not known.
  var hasOverlays: Bool?
  /// Whether rows were changed that the slots do not know of: they are forgotten before the next
  /// transaction.
  var isStale = false
  /// Numbers the writes, for ``Slot/write``.
  private var writes = 0

  subscript(key: GraphQL.EntityKey) -> Slot? { slots[key] }

  func insert(_ slot: Slot) {
    slots[slot.key] = slot
    size += Self.slotSize
  }

  /// Makes room for the objects of a list, where it is long beside what is here.
  func reserve(_ count: Int) {
    if count > slots.count * 4 { slots.reserveCapacity(slots.count + count) }
  }

  func nextWrite() -> Int {
    writes += 1
    return writes
  }

  /// Counts records that are kept from now on.
  func add(_ bytes: Int) { size += bytes }

  /// Forgets what a transaction has noted that was undone.
  func forgetUndone() {
    types = [:]
    indexes = [:]
    for slot in slots.values { slot.arrival = nil }
  }

  /// Forgets everything, in a transaction that has changed nothing yet.
  func forget() {
    isStale = true
    begin(version: version)
  }

  /// Called between transactions. Forgets everything if there is too much of it, or if another
  /// store or process has committed since the last call.
  func begin(version: Int64?) {
    if isStale || version != self.version || size > Self.largest {
      slots = [:]
      complete = []
      types = [:]
      indexes = [:]
      hasOverlays = nil
      size = 0
      isStale = false
    }
    self.version = version
  }
}
