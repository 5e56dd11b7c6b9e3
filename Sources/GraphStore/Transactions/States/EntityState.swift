import GraphJSON
import GraphQLRuntime

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
