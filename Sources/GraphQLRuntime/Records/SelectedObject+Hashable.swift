import GraphJSON

// Generated structs adopt `Hashable` without code of their own. These functions are the same for all of them,
// and are not specialised: that took a third of the time of compiling such structs.
extension GraphQL.SelectedObject {
  // Without `where Self: Hashable`: where the main actor is the default, Swift 6.3 would report a circular
  // reference for each `Hashable` struct of an app, since it compares the operators of all modules.
  /// Whether both have the same values in all fields that the struct reads, the same deliveries of deferred parts,
  /// and the same errors.
  ///
  /// Values are compared as they arrived: `1` and `1.0` differ, the IDs `1` and `"1"` too, and two texts of one date.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public static func == (left: Self, right: Self) -> Bool { left.fields.isEqual(to: right.fields) }
}

extension GraphQL.SelectedObject where Self: Hashable {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public var hashValue: Int {
    var hasher = Hasher()
    fields.hash(into: &hasher)
    return hasher.finalize()
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func _rawHashValue(seed: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(seed)
    fields.hash(into: &hasher)
    return hasher.finalize()
  }
}

// Records have the same form if they are read as the same type. The recursion is as deep as the selection.
// Safe: all indexes are those of slots of records.
extension GraphQL.Fields {
  func isEqual(to other: GraphQL.Fields) -> Bool {
    if document === other.document, record == other.record { return true }
    return hasEqualDeliveries(other) && hasEqualValues(other)
  }

  private func hasEqualValues(_ other: GraphQL.Fields) -> Bool {
    let (left, right) = unsafe (tape, other.tape)
    let count = unsafe left.slotCount(ofRecord: record)
    guard unsafe right.slotCount(ofRecord: other.record) == count else { return false }
    return (1..<count + 1).allSatisfy { isEqual(record + $0, other, other.record + $0) }
  }

  private func isEqual(_ slot: Int, _ other: GraphQL.Fields, _ otherSlot: Int) -> Bool {
    let (left, right) = unsafe (tape, other.tape)
    let isMissing = unsafe left.isMissing(slot: slot)
    guard unsafe isMissing == right.isMissing(slot: otherSlot) else { return false }
    if isMissing {
      // Pending in both, or failed in both.
      return document.recorded?.context.hasNext == other.document.recorded?.context.hasNext
    }
    let kind = unsafe left.kind(at: slot)
    guard unsafe kind == right.kind(at: otherSlot) else { return false }
    guard unsafe left.isLink(slot: slot) else {
      return switch kind {
      case .null: true
      case .bool: unsafe left.bool(at: slot) == right.bool(at: otherSlot)
      default:
        unsafe left.value(ofSlot: slot) == slot && left.hasSameText(slot, right, otherSlot)
          || json(slot) == other.json(otherSlot)
      }
    }
    let (place, otherPlace) = unsafe (left.place(ofSlot: slot), right.place(ofSlot: otherSlot))
    if kind == .object {
      return GraphQL.Fields(document, place)
        .hasEqualValues(GraphQL.Fields(other.document, otherPlace))
    }
    let count = unsafe left.count(at: place)
    return unsafe right.count(at: otherPlace) == count
      && (2..<count + 2).allSatisfy { isEqual(place + $0, other, otherPlace + $0) }
  }

  private func json(_ slot: Int) -> JSON {
    JSON._read(GraphQL.ValueReader(document: document, index: unsafe tape.value(ofSlot: slot)))
      ?? .null
  }

  func hash(into hasher: inout Hasher) {
    for slot in unsafe 0..<tape.slotCount(ofRecord: record) {
      hash(record + 1 + slot, into: &hasher)
    }
  }

  private func hash(_ slot: Int, into hasher: inout Hasher) {
    let tape = unsafe tape
    guard unsafe tape.isLink(slot: slot) else { return hasher.combine(json(slot)) }
    let place = unsafe tape.place(ofSlot: slot)
    if unsafe tape.kind(at: slot) == .object {
      GraphQL.Fields(document, place).hash(into: &hasher)
    } else {
      let count = unsafe tape.count(at: place)
      hasher.combine(count)
      for element in 0..<count { hash(place + 2 + element, into: &hasher) }
    }
  }
}
