import GraphJSON
import GraphQLRuntime

/// Takes the objects of a response, or of checked JSON, apart into records.
///
/// The recursion is as deep as the operation's selection, or as the parser allows.
struct Normalizer {
  /// One field of the object at hand, and where its bytes are in `scratch`.
  struct Part {
    let field: GraphQL.StorageField
    let start: Int
    let end: Int
  }

  let json: JSONDocument
  let transaction: Transaction
  /// Values that an error of the response accounts for, by position.
  let errored: Set<Int>
  /// What a list does to the one that is stored, by `Type.field`.
  let lists: [String: JSONMapping.ListRule]
  private(set) var outcome: Outcome
  /// A stack of values under construction: nested objects use its end and leave a link.
  private var scratch: [UInt8] = []
  private var parts: [Part] = []
  /// How long the entity at hand may be kept, by its type.
  private var owner = TypePolicy.Persistence.transient
  /// Whether the value at hand holds an object that must not be kept as long as its owner.
  private var isWithheld = false

  init(
    json: JSONDocument, transaction: Transaction, errored: Set<Int> = [],
    lists: [String: JSONMapping.ListRule] = [:]
  ) {
    self.json = json
    self.transaction = transaction
    self.errored = errored
    self.lists = lists
    outcome = Outcome(write: transaction.slots.nextWrite())
    scratch.reserveCapacity(4096)
  }

  /// Stores the object at `index` as the entity `key`.
  ///
  /// - Returns: a link to it, as records hold it.
  @discardableResult
  mutating func entity(
    _ index: Int, _ plan: GraphQL.StoragePlan, _ key: GraphQL.EntityKey
  ) throws(StoreError) -> [UInt8] {
    let firstPart = parts.count
    let mark = scratch.count
    let outer = owner
    owner = transaction.policies.persistenceOfRecord(key)
    try appendParts(of: index, plan)
    owner = outer
    // Read after the objects below, which may be, or lead to, this one.
    let slot = try transaction.slot(key)
    let known = slot.json
    var merger = RecordMerger(
      typeName: key.typeName, parts: distinct(parts[firstPart...], plan), scratch: scratch,
      lists: lists)
    if let merged = try merger.merged(into: known) {
      transaction.put(merged, in: slot)
      outcome.note(slot, known == nil ? .inserted : .updated)
    } else {
      outcome.note(slot, .unchanged)
    }
    outcome.dropped += merger.dropped
    parts.removeSubrange(firstPart...)
    scratch.removeSubrange(mark...)
    return slot.link
  }

  /// Stores the entities below the object at `index`, which is none itself.
  mutating func entities(below index: Int, _ plan: GraphQL.StoragePlan) throws(StoreError) {
    try appendParts(of: index, plan)
    parts.removeAll()
    scratch.removeAll()
  }

  private mutating func appendParts(
    of object: Int, _ plan: GraphQL.StoragePlan
  ) throws(StoreError) {
    var next = 0
    let firstPart = parts.count
    var isInOrder = true
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      // A server answers in the order of the selection, so the next field is nearly always the one.
      if next < plan.fields.count, matches(key, plan.fields[next]) {
        try appendPart(value, plan.fields[next])
        next += 1
      } else if let position = plan.position(of: Array(json.string(at: key).utf8)) {
        try appendPart(value, plan.fields[position])
        next = position + 1
        isInOrder = false
      }
      key = json.next(after: value)
    }
    if !isInOrder { keepLast(from: firstPart) }
  }

  /// Of a key that an object has twice the last one counts, as everywhere.
  private mutating func keepLast(from first: Int) {
    var seen: Set<ObjectIdentifier> = []
    let kept = parts[first...].reversed().filter {
      seen.insert(ObjectIdentifier($0.field)).inserted
    }
    if kept.count < parts.count - first {
      parts.replaceSubrange(first..., with: kept.reversed())
    }
  }

  /// One part for each storage key.
  private func distinct(
    _ parts: ArraySlice<Part>, _ plan: GraphQL.StoragePlan
  ) -> ArraySlice<Part> {
    guard plan.hasTwins else { return parts }
    var seen: Set<[UInt8]> = []
    return parts.filter { seen.insert($0.field.storageKey).inserted }[...]
  }

  private func matches(_ key: Int, _ field: GraphQL.StorageField) -> Bool {
    field.responseName.withUnsafeBufferPointer { json.stringEquals(key, $0) }
  }

  private mutating func appendPart(
    _ value: Int, _ field: GraphQL.StorageField
  ) throws(StoreError) {
    let start = scratch.count
    try append(value, field)
    if errored.contains(value) || isWithheld {
      isWithheld = false
      // Nothing is known of the field itself; objects beside a null in a list were stored.
      scratch.removeSubrange(start...)
    } else {
      parts.append(Part(field: field, start: start, end: scratch.count))
    }
  }

  private mutating func append(_ value: Int, _ field: GraphQL.StorageField) throws(StoreError) {
    guard field.isComposite else {
      return json.withSource(at: value) { scratch.append(contentsOf: $0) }
    }
    switch json.kind(at: value) {
    case .array: try appendList(value, field)
    case .object: try appendObject(value, field)
    default: scratch.append(contentsOf: "null".utf8)
    }
  }

  private mutating func appendList(
    _ list: Int, _ field: GraphQL.StorageField
  ) throws(StoreError) {
    scratch.append(UInt8(ascii: "["))
    var element = json.firstChild(of: list)
    let end = json.end(of: list)
    while element < end {
      try append(element, field)
      element = json.next(after: element)
      if element < end { scratch.append(UInt8(ascii: ",")) }
    }
    scratch.append(UInt8(ascii: "]"))
  }

  private mutating func appendObject(
    _ object: Int, _ field: GraphQL.StorageField
  ) throws(StoreError) {
    let plan = field.plan(for: json, at: object)
    if let key = plan.key(of: json, at: object) {
      scratch.append(contentsOf: try entity(object, plan, key))
    } else {
      try appendEmbedded(object, plan)
      // It would outlive a logout in its owner's record, or reach the file with it.
      isWithheld = isWithheld || !transaction.policies.mayEmbed(plan.typeName, in: owner)
    }
  }

  /// An object without a key becomes part of the record: its members under their storage keys.
  private mutating func appendEmbedded(
    _ object: Int, _ plan: GraphQL.StoragePlan
  ) throws(StoreError) {
    let mark = scratch.count
    let firstPart = parts.count
    try appendParts(of: object, plan)
    let merger = RecordMerger(
      typeName: nil, parts: distinct(parts[firstPart...], plan), scratch: scratch, lists: [:])
    let bytes = merger.embedded()
    parts.removeSubrange(firstPart...)
    scratch.removeSubrange(mark...)
    scratch.append(contentsOf: bytes)
  }
}
