import GraphJSON

// Generated structs adopt `Hashable` without code of their own. These functions are the same for all of them,
// and are not specialised: that took a third of the time of compiling such structs.
extension GraphQL.SelectedObject {
  // Without `where Self: Hashable`: where the main actor is the default, Swift 6.3 would report a circular
  // reference for each `Hashable` struct of an app, since it compares the operators of all modules.
  /// Whether both have the same values in all fields that the struct reads, and the same deliveries of deferred parts
  /// and errors in the object, also of fields that the struct does not read. Where in the text of the operation an
  /// error points to does not count.
  ///
  /// Values are compared as they arrived: `1` and `1.0` differ, the IDs `1` and `"1"` too, two texts of one date, and
  /// texts in different normal forms of Unicode.
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
    return hasEqualDeliveries(other) && (isIdentical(to: other) || hasEqualValues(other))
  }

  /// Whether both are the data of responses with the same bytes. Their parts are compared by their values, since
  /// each of these comparisons would read all of the responses.
  private func isIdentical(to other: GraphQL.Fields) -> Bool {
    record == JSONDocument.rootIndex && other.record == record && hasNext == other.hasNext
      && document.json.isIdentical(to: other.document.json)
  }

  /// Whether parts may still arrive.
  private var hasNext: Bool? { document.recorded?.context.hasNext }

  private func hasEqualValues(_ other: GraphQL.Fields) -> Bool {
    unsafe hasEqualSlots(tape, record, other, other.tape, other.record)
  }

  @unsafe private func hasEqualSlots(
    _ left: JSONTape, _ record: Int, _ other: GraphQL.Fields, _ right: JSONTape, _ otherRecord: Int
  ) -> Bool {
    let count = unsafe left.slotCount(ofRecord: record)
    guard unsafe right.slotCount(ofRecord: otherRecord) == count else { return false }
    for slot in 1..<count + 1 {
      guard unsafe isEqual(left, record + slot, other, right, otherRecord + slot) else {
        return false
      }
    }
    return true
  }

  @unsafe private func isEqual(
    _ left: JSONTape, _ slot: Int, _ other: GraphQL.Fields, _ right: JSONTape, _ otherSlot: Int
  ) -> Bool {
    let kind = unsafe left.kind(at: slot)
    guard unsafe kind == right.kind(at: otherSlot) else { return false }
    switch kind {
    case .null:
      let isMissing = unsafe left.isMissing(slot: slot)
      guard unsafe isMissing == right.isMissing(slot: otherSlot) else { return false }
      // Pending in both, or failed in both.
      return !isMissing || hasNext == other.hasNext
    case .bool: return unsafe left.bool(at: slot) == right.bool(at: otherSlot)
    case .number, .string:
      return unsafe left.hasSameText(slot, right, otherSlot)
        || json(slot).hasSameBytes(as: other.json(otherSlot))
    case .object, .array: break
    }
    guard unsafe left.isLink(slot: slot) else {
      return json(slot).hasSameBytes(as: other.json(otherSlot))
    }
    let (place, otherPlace) = unsafe (left.place(ofSlot: slot), right.place(ofSlot: otherSlot))
    if kind == .object { return unsafe hasEqualSlots(left, place, other, right, otherPlace) }
    let count = unsafe left.count(at: place)
    guard unsafe right.count(at: otherPlace) == count else { return false }
    for element in 2..<count + 2 {
      guard unsafe isEqual(left, place + element, other, right, otherPlace + element) else {
        return false
      }
    }
    return true
  }

  private func json(_ slot: Int) -> JSON {
    JSON._read(GraphQL.ValueReader(document: document, index: unsafe tape.value(ofSlot: slot)))
      ?? .null
  }

  /// The number of values that a hash contains. Values of one list usually differ in their first field.
  private static var hashedValues: Int { 16 }

  /// Hashes the first values of the object and of those in it.
  func hash(into hasher: inout Hasher) {
    var count = Self.hashedValues
    hash(record: record, &count, into: &hasher)
  }

  private func hash(record: Int, _ rest: inout Int, into hasher: inout Hasher) {
    for slot in unsafe 0..<tape.slotCount(ofRecord: record) where rest > 0 {
      hash(slot: record + 1 + slot, &rest, into: &hasher)
    }
  }

  private func hash(slot: Int, _ rest: inout Int, into hasher: inout Hasher) {
    let tape = unsafe tape
    rest -= 1
    guard unsafe tape.isLink(slot: slot) else {
      let kind = unsafe tape.kind(at: slot)
      // An object with a repeated key equals one without it.
      if kind == .object || kind == .array { return hasher.combine(kind) }
      return document.json.hashScalar(at: slot, into: &hasher)
    }
    let place = unsafe tape.place(ofSlot: slot)
    if unsafe tape.kind(at: slot) == .object {
      hash(record: place, &rest, into: &hasher)
    } else {
      let count = unsafe tape.count(at: place)
      hasher.combine(count)
      for element in 0..<count where rest > 0 {
        hash(slot: place + 2 + element, &rest, into: &hasher)
      }
    }
  }
}
