import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Splits the objects of a response, or of checked JSON, into records.
///
/// The recursion is as deep as the operation's selection, or as the parser allows.
// Safe: it keeps the document of the tape alive; indexes come from it, marks from counts of
// `scratch`.
@safe struct Normalizer: ~Copyable {
  let json: JSONDocument
  private let tape: JSONTape
  let transaction: Graph.Transaction
  /// Values that an error of the response explains, by position.
  let errored: Set<Int>
  /// How a list changes the stored one, by `Type.field`.
  let lists: [String: Graph.JSONMapping.ListRule]
  /// Whether an object has the same values wherever it is in the response. The fields of a mutation are executed one
  /// after the other.
  private let isOneMoment: Bool
  /// The values that have arrived with the last payload; nil if all have. Only these are stored.
  private let arrived: GraphQL.ArrivedValues?
  /// Whether the current value has arrived, and not only a part of it.
  private var isNew = true
  /// Whether objects without a key are needed with all of their members: they are in a list or in a page, which is
  /// written as a whole.
  private var needsAll = false
  /// Whether the current field has changed, other than in the entities to which it leads.
  private var hasChanged = false
  /// Whether the current value is a list of which more will arrive.
  private var isIncomplete = false
  /// Whether the current page lacks such a list.
  private var lacksList = false
  private(set) var outcome: WriteOutcome
  /// A stack of values under construction: nested objects use its end and leave a link.
  private var scratch = GraphQL.ByteBuffer(capacity: 4096)
  /// A stored record merged with the new values.
  private var merged = GraphQL.ByteBuffer(capacity: 1024)
  /// The fields of the current object and of those around it.
  private var parts: [RecordPart] = []
  /// The current entity. It is not a parameter of the work on each field: passing it on took a
  /// quarter of the time of splitting an object.
  private var owner = GraphQL.EntityKey(typeName: "", key: "")
  /// How long the current entity may be kept, by its type.
  private var keeping = Graph.TypePolicy.Persistence.transient
  /// The pages that arrived: one may arrive at several places, each with a selection of its own.
  private var pages: [ArrivedPage: [UInt8]] = [:]
  /// The occurrences of entities that have lists.
  private var occurrences: [Occurrence] = []
  /// Whether the current value contains an object that must not be kept as long as its owner.
  private var isMemoryOnly = false

  init(
    json: JSONDocument, transaction: Graph.Transaction, errored: Set<Int> = [],
    lists: [String: Graph.JSONMapping.ListRule] = [:], isOneMoment: Bool = false,
    arrived: GraphQL.ArrivedValues? = nil, data: Int = JSONDocument.rootIndex
  ) {
    self.json = json
    unsafe tape = json.memory
    self.transaction = transaction
    self.errored = errored
    self.lists = lists
    self.isOneMoment = isOneMoment
    self.arrived = arrived
    isNew = arrived?.contains(data) ?? true
    outcome = WriteOutcome(write: transaction.states.nextWrite())
  }

  /// Stores the object at `index` as the entity `key`.
  mutating func entity(
    _ index: Int, _ plan: GraphQL.StoragePlan, _ key: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    let firstPart = parts.count
    let mark = scratch.count
    scratch.append(plan.opening)
    let type = try transaction.typeState(of: key.typeName)
    let outer = (owner, keeping)
    let outerPart = (needsAll, hasChanged, lacksList)
    (needsAll, hasChanged) = (false, false)
    owner = key
    // The root of a query is deleted at logout.
    keeping =
      key.key.isEmpty && type.persistence == .persistent ? .sensitive : type.persistence
    try appendParts(of: index, plan, isEntity: true)
    (owner, keeping) = outer
    (needsAll, hasChanged, lacksList) = outerPart
    scratch.append(UInt8(ascii: "}"))
    defer {
      parts.removeLast(parts.count - firstPart)
      scratch.remove(after: mark)
    }
    if !isNew, parts.count == firstPart { return }
    // Read after the nested objects, which may be, or lead to, this one.
    let state = try transaction.entityState(of: key)
    let stored = state.base
    // The object was deleted while more of it was arriving.
    if !isNew, stored == nil { return }
    if type.hasInverses { outcome.noteRelated(state, old: stored) }
    if state.overlay != nil {
      for part in parts[firstPart...] {
        let storageKey = String(decoding: plan.fields[part.field].storageKey, as: UTF8.self)
        transaction.received.insert(ReceivedList(owner: key, storageKey: storageKey))
      }
    }
    let earlier = state.write == outcome.write ? state.occurrence : nil
    if let stored {
      try merge(
        firstPart, plan, record: mark..<scratch.count, into: stored, of: state, earlier: earlier)
    } else {
      put(
        unsafe RecordText(UnsafeBufferPointer(rebasing: scratch.bytes[mark...])), in: state,
        .inserted)
    }
    state.occurrence = note(firstPart, plan, earlier: earlier)
  }

  /// Records which lists of an entity arrived.
  ///
  /// - Returns: the last occurrence with lists; nil if there is none.
  private mutating func note(
    _ firstPart: Int, _ plan: GraphQL.StoragePlan, earlier: Int?
  ) -> Int? {
    guard isOneMoment, plan.lists != 0 else { return earlier }
    var lists: UInt64 = 0
    for part in parts[firstPart...] where part.field < 64 { lists |= 1 << UInt64(part.field) }
    lists &= plan.lists
    guard lists != 0 else { return earlier }
    var place = earlier
    while let occurrence = place.map({ occurrences[$0] }) {
      if occurrence.plan === plan, occurrence.lists | lists == occurrence.lists { return earlier }
      place = occurrence.earlier
    }
    occurrences.append(Occurrence(plan: plan, lists: lists, earlier: earlier))
    return occurrences.count - 1
  }

  /// The fields of new lists that have already arrived with an earlier occurrence of the entity.
  private func repeatedLists(
    _ firstPart: Int, _ plan: GraphQL.StoragePlan, earlier: Int?
  ) -> Set<Int> {
    var repeated: Set<Int> = []
    var place = earlier
    while let occurrence = place.map({ occurrences[$0] }) {
      for part in parts[firstPart...]
      where occurrence.hasList(plan.fields[part.field].storageKey) {
        repeated.insert(part.field)
      }
      place = occurrence.earlier
    }
    return repeated
  }

  /// Removes all fields but the key's from an entity that gets new ones.
  mutating func empty(_ state: EntityState) throws(Graph.StoreError) {
    guard let stored = state.base else { return }
    if try transaction.typeState(of: state.key.typeName).hasInverses {
      outcome.noteRelated(state, old: stored)
    }
    try transaction.remove(state)
    transaction.put(RecordText(transaction.policies.placeholder(for: state.key)), in: state)
  }

  private mutating func put(
    _ record: RecordText, in state: EntityState, _ effect: WriteOutcome.Effect
  ) {
    transaction.put(record, in: state)
    outcome.note(state, effect)
  }

  /// - Parameters:
  ///   - firstPart: where the new fields start in `parts`.
  ///   - earlier: the last occurrence of the entity with lists in the same response.
  private mutating func merge(
    _ firstPart: Int, _ plan: GraphQL.StoragePlan, record: Range<Int>, into stored: RecordText,
    of state: EntityState, earlier: Int?
  ) throws(Graph.StoreError) {
    var repeated: Set<Int> = []
    if !hasListRules(firstPart, plan) {
      let comparison = compare(stored, firstPart, plan, record)
      if comparison == .same { return outcome.note(state, .unchanged) }
      repeated = repeatedLists(firstPart, plan, earlier: earlier)
      switch comparison {
      case .replacement where repeated.isEmpty:
        let text = unsafe UnsafeBufferPointer(rebasing: scratch.bytes[record])
        return put(unsafe RecordText(text), in: state, .updated)
      case .merged where repeated.isEmpty:
        return put(unsafe RecordText(merged.bytes), in: state, .updated)
      default: break
      }
    }
    var merger = unsafe RecordMerger(
      plan: plan, parts: parts[firstPart...], scratch: scratch.bytes, record: record, lists: lists,
      repeated: repeated)
    switch try merger.merged(into: stored) {
    case .unchanged: outcome.note(state, .unchanged)
    case .inserted(let record): put(record, in: state, .inserted)
    case .updated(let record): put(record, in: state, .updated)
    }
    if !merger.dropped.isEmpty { outcome.dropped += merger.dropped }
  }

  private func hasListRules(_ firstPart: Int, _ plan: GraphQL.StoragePlan) -> Bool {
    !lists.isEmpty
      && parts[firstPart...].contains {
        lists["\(plan.typeName).\(plan.fields[$0.field].name)"] != nil
      }
  }

  private mutating func compare(
    _ stored: RecordText, _ firstPart: Int, _ plan: GraphQL.StoragePlan, _ record: Range<Int>
  ) -> RecordComparison.Result {
    let comparison = unsafe RecordComparison(plan: plan, scratch: scratch.bytes, record: record)
    return unsafe stored.withBytes { stored in
      unsafe parts.withUnsafeBufferPointer {
        unsafe comparison.compare(
          with: stored, UnsafeBufferPointer(rebasing: $0[firstPart...]), merged: &merged)
      }
    }
  }

  /// The result of the write, after the other sides of relations are updated.
  mutating func finish() throws(Graph.StoreError) -> WriteOutcome {
    try outcome.updateInverses(in: transaction)
    return outcome
  }

  /// Stores the entities below the object at `index`, which is not one itself.
  mutating func entities(below index: Int, _ plan: GraphQL.StoragePlan) throws(Graph.StoreError) {
    try appendParts(of: index, plan, isEntity: false)
    parts.removeAll()
    scratch.remove(after: 0)
  }

  /// Appends the members of an object, each with a comma before it if it is not the first.
  ///
  /// - Parameter isEntity: whether the object is ``owner``.
  private mutating func appendParts(
    of object: Int, _ plan: GraphQL.StoragePlan, isEntity: Bool
  ) throws(Graph.StoreError) {
    var next = 0
    let firstPart = parts.count
    let mark = scratch.count
    var isInOrder = true
    /// A bit for each field that arrived, shared by those that are 64 apart.
    var seen: UInt64 = 0
    var mayRepeat = false
    let names = unsafe plan.names
    let takesOver = errored.isEmpty
    var key = unsafe tape.firstChild(of: object)
    let end = unsafe tape.end(of: object)
    while key < end {
      let value = key + 1
      // A server responds in the order of the selection, so the next field is nearly always the
      // expected one.
      let isNext = unsafe next < names.count && tape.matches(names[next].key, at: key)
      if let position = isNext ? next : plan.position(ofKeyAt: key, in: json, from: next + 1) {
        if !isNew, let arrived {
          try appendEarlierPart(
            value, position, plan, arrived, from: firstPart, isEntity: isEntity)
        } else if unsafe takesOver && names[position].isLeaf {
          if isEntity || parts.count > firstPart { scratch.append(UInt8(ascii: ",")) }
          unsafe scratch.append(names[position].member)
          let start = scratch.count
          unsafe scratch.append(tape.source(at: value))
          parts.append(RecordPart(field: position, start: start, end: scratch.count))
        } else {
          try appendPart(
            value, position, plan.fields[position], from: firstPart, isEntity: isEntity,
            isRepeated: plan.hasRepeatedKeys)
        }
        let bit: UInt64 = 1 << UInt64(position & 63)
        isInOrder = isInOrder && position >= next
        mayRepeat = mayRepeat || seen & bit != 0
        seen |= bit
        next = position + 1
      }
      key = unsafe tape.next(after: value)
    }
    if plan.hasRepeatedKeys || (mayRepeat && !isInOrder) {
      try keepDistinct(from: firstPart, mark, plan, isEntity: isEntity)
    }
  }

  /// Appends what has arrived of a member: the object has arrived before.
  private mutating func appendEarlierPart(
    _ value: Int, _ position: Int, _ plan: GraphQL.StoragePlan, _ arrived: GraphQL.ArrivedValues,
    from firstPart: Int, isEntity: Bool
  ) throws(Graph.StoreError) {
    let field = plan.fields[position]
    let hasArrived = arrived.contains(value)
    let isNeeded = hasArrived || (needsAll && !isEntity)
    let mayChange = (field.isComposite || field.isStreamed) && arrived.mayChange(value)
    guard isNeeded || mayChange else { return }
    let (partCount, mark) = (parts.count, scratch.count)
    let outer = hasChanged
    (isNew, hasChanged) = (hasArrived, hasArrived)
    try appendPart(
      value, position, field, from: firstPart, isEntity: isEntity,
      isRepeated: plan.hasRepeatedKeys)
    isNew = false
    if !isNeeded, !hasChanged, parts.count > partCount {
      parts.removeLast()
      scratch.remove(after: mark)
    }
    hasChanged = outer || hasChanged
  }

  /// If an object has a key twice, the last one counts, as in the rest of the store. If two response
  /// names have the same storage key, the first one counts, with what only the other one selects of objects.
  private mutating func keepDistinct(
    from first: Int, _ mark: Int, _ plan: GraphQL.StoragePlan, isEntity: Bool
  ) throws(Graph.StoreError) {
    var fields: Set<Int> = []
    let last = parts[first...].reversed().filter { fields.insert($0.field).inserted }
    var values: [(field: Int, bytes: [UInt8])] = []
    var positions: [[UInt8]: Int] = [:]
    for part in last.reversed() {
      let field = plan.fields[part.field]
      let bytes = unsafe Array(scratch.bytes[part.start..<part.end])
      if let position = positions[field.storageKey] {
        guard field.isComposite else { continue }
        values[position].bytes = try valueMerge(values[position].bytes, bytes, plan)
          .union(JSONDocument.rootIndex, JSONDocument.rootIndex)
      } else {
        positions[field.storageKey] = values.count
        values.append((part.field, bytes))
      }
    }
    guard values.count < parts.count - first else { return }
    parts.removeSubrange(first...)
    scratch.remove(after: mark)
    for value in values {
      let isFirst = !isEntity && parts.count == first
      appendName(of: plan.fields[value.field], isFirst: isFirst)
      let start = scratch.count
      scratch.append(value.bytes)
      parts.append(RecordPart(field: value.field, start: start, end: scratch.count))
    }
  }

  private func valueMerge(
    _ first: [UInt8], _ second: [UInt8], _ plan: GraphQL.StoragePlan
  ) throws(Graph.StoreError) -> ValueMerge {
    do {
      return try ValueMerge(
        stored: JSONDocument(parsing: first), incoming: JSONDocument(parsing: second))
    } catch {
      throw Graph.StoreError(.invalidJSON, "a record of \(plan.typeName): \(error)", cause: error)
    }
  }

  private mutating func appendPart(
    _ value: Int, _ position: Int, _ field: GraphQL.StorageField, from firstPart: Int,
    isEntity: Bool, isRepeated: Bool
  ) throws(Graph.StoreError) {
    // A record starts with the type, whether it was selected or not.
    if isEntity, field.isTypename { return }
    let isFirst = !isEntity && parts.count == firstPart
    let mark = scratch.count
    appendName(of: field, isFirst: isFirst)
    let start = scratch.count
    if isEntity, let page = field.page, unsafe tape.kind(at: value) == .object {
      try appendConnection(value, field, page, of: owner, isRepeated: isRepeated)
    } else {
      try append(value, field)
    }
    if isIncomplete { lacksList = true }
    if isMemoryOnly || isIncomplete || (!errored.isEmpty && errored.contains(value)) {
      (isMemoryOnly, isIncomplete) = (false, false)
      // The field itself is unknown; objects next to a null in a list were stored.
      scratch.remove(after: mark)
    } else {
      parts.append(RecordPart(field: position, start: start, end: scratch.count))
    }
  }

  private mutating func appendName(of field: GraphQL.StorageField, isFirst: Bool) {
    if !isFirst { scratch.append(UInt8(ascii: ",")) }
    scratch.append(field.member)
  }

  private mutating func append(_ value: Int, _ field: GraphQL.StorageField) throws(Graph.StoreError)
  {
    switch unsafe tape.kind(at: value) {
    case .array where field.isComposite: try appendList(value, field)
    case .object where field.isComposite: try appendObject(value, field)
    case let kind:
      unsafe scratch.append(tape.source(at: value))
      if kind == .array, field.isStreamed { noteProgress(ofStreamed: value) }
    }
  }

  private mutating func appendList(
    _ list: Int, _ field: GraphQL.StorageField
  ) throws(Graph.StoreError) {
    let (isNewList, neededAll, lackedList) = (isNew, needsAll, lacksList)
    (needsAll, lacksList) = (true, false)
    scratch.append(UInt8(ascii: "["))
    unsafe transaction.states.reserve(tape.count(at: list))
    var element = unsafe tape.firstChild(of: list)
    let end = unsafe tape.end(of: list)
    while element < end {
      if !isNewList, let arrived {
        isNew = arrived.contains(element)
        hasChanged = hasChanged || isNew
      }
      try append(element, field)
      element = unsafe tape.next(after: element)
      if element < end { scratch.append(UInt8(ascii: ",")) }
    }
    scratch.append(UInt8(ascii: "]"))
    // The embedded objects of a list are not merged with the stored ones, so each of them must be whole.
    isIncomplete = lacksList
    (isNew, needsAll, lacksList) = (isNewList, neededAll, lackedList || lacksList)
    if field.isStreamed { noteProgress(ofStreamed: list) }
  }

  /// A streamed list is stored when all of it has arrived.
  private mutating func noteProgress(ofStreamed list: Int) {
    guard let arrived else { return }
    if !isNew, arrived.hasCompleted(list) { hasChanged = true }
    if arrived.isIncomplete(list) { isIncomplete = true }
  }

  private mutating func appendObject(
    _ object: Int, _ field: GraphQL.StorageField
  ) throws(Graph.StoreError) {
    let plan = field.plan(for: json, at: object)
    if let key = plan.key(of: json, at: object) {
      if isNew || arrived?.mayChange(object) != false { try entity(object, plan, key) }
      GraphQL.StoredLink.append(key, to: &scratch)
    } else {
      try appendEmbedded(object, plan)
      // The object would outlive a logout in its owner's record, or be written to the file with it.
      isMemoryOnly = isMemoryOnly || !transaction.policies.mayEmbed(plan.typeName, in: keeping)
    }
  }

  /// An object without a key becomes part of the record: its members under their storage keys.
  private mutating func appendEmbedded(
    _ object: Int, _ plan: GraphQL.StoragePlan
  ) throws(Graph.StoreError) {
    let firstPart = parts.count
    scratch.append(UInt8(ascii: "{"))
    try appendParts(of: object, plan, isEntity: false)
    scratch.append(UInt8(ascii: "}"))
    parts.removeLast(parts.count - firstPart)
  }

  /// A connection has rows of its own, to which the record has a link.
  ///
  /// - Parameter isRepeated: whether the owner may have the page under several response names.
  private mutating func appendConnection(
    _ object: Int, _ field: GraphQL.StorageField, _ page: GraphQL.Page, of owner: GraphQL.EntityKey,
    isRepeated: Bool
  ) throws(Graph.StoreError) {
    let plan = field.plan(for: json, at: object)
    let mark = scratch.count
    let outer = (needsAll, lacksList)
    (needsAll, lacksList) = (true, false)
    try appendEmbedded(object, plan)
    let isPageIncomplete = lacksList
    (needsAll, lacksList) = outer
    let key = ConnectionKey(owner: owner, field: field)
    var text = unsafe Array(scratch.bytes[mark...])
    scratch.remove(after: mark)
    if isPageIncomplete || (!isNew && !hasChanged) {
      isIncomplete = isPageIncomplete
      GraphQL.StoredLink.append(key.head, to: &scratch)
      return
    }
    if isOneMoment || isRepeated {
      let place = ArrivedPage(connection: key.head, page: page)
      if let first = pages[place] {
        let merge = try valueMerge(first, text, plan)
        if merge.agree(JSONDocument.rootIndex, JSONDocument.rootIndex) {
          text = merge.union(JSONDocument.rootIndex, JSONDocument.rootIndex)
        }
      }
      pages[place] = text
    }
    if let incoming = JSONDocument(record: text) {
      var writer = try ConnectionWriter(
        key: key, typeName: plan.typeName, transaction: transaction)
      try writer.write(incoming, page)
    }
    GraphQL.StoredLink.append(key.head, to: &scratch)
  }
}

private struct ArrivedPage: Hashable {
  let connection: GraphQL.EntityKey
  let page: GraphQL.Page
}

/// An object of the response that is an entity, and has lists of objects.
private struct Occurrence {
  let plan: GraphQL.StoragePlan
  /// The bits of ``GraphQL/StoragePlan/lists`` whose fields arrived.
  let lists: UInt64
  /// The occurrence of the same entity before this one.
  let earlier: Int?

  func hasList(_ storageKey: [UInt8]) -> Bool {
    plan.fields.prefix(64).indices.contains {
      lists & (1 << UInt64($0)) != 0 && plan.fields[$0].storageKey == storageKey
    }
  }
}
