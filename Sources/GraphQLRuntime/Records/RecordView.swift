import GraphJSON

extension GraphQL {
  /// The part of an object that one generated struct reads: a slot for each of its entries, in the order in
  /// which they first occur.
  ///
  /// The generator numbers the slots in the same way; ``ViewChecksum`` finds a difference. The rules are in
  /// `Documentation/Notes/TypedOperations.md`.
  // Safe: it is created by one thread, and constant afterwards.
  final class RecordView: @unchecked Sendable {
    /// One entry, at the position that is its slot.
    final class Entry: Sendable {
      enum Kind: Sendable {
        /// A field with this response name.
        case field(key: String)
        /// The object as one of another type.
        case typeCase(String)
        /// The fields of a named fragment.
        case fragment(FragmentDefinition)
        /// The fields of an inline fragment on this type that may arrive later.
        case deferred(String)
      }

      let kind: Kind
      /// The view below: of a field's objects, or of the same object.
      let view: RecordView?
      /// Whether a directive leaves out all of it.
      let isExcluded: Bool
      /// The selection set of a fragment that may arrive later; nil for everything else.
      let deferred: SelectionSet?

      fileprivate init(_ draft: ViewDraft.Entry, _ view: RecordView?) {
        kind = draft.kind
        self.view = view
        isExcluded = !draft.isIncluded
        deferred =
          switch draft.kind {
          case _ where !draft.mayComeLater: nil
          case .fragment(let fragment): fragment.selectionSet
          default: draft.sets.first?.set
          }
      }
    }

    fileprivate(set) var entries: [Entry] = []

    /// The number of words: a header and the slots.
    var size: Int { 1 + entries.count }
  }

  /// Creates the views of a document.
  struct ViewBuilder {
    private let schema: SchemaTable
    private var fragments: [ObjectIdentifier: RecordView] = [:]

    init(schema: SchemaTable) { self.schema = schema }

    mutating func view(_ set: SelectionSet) -> RecordView {
      view(
        known: set.type.map { [$0] } ?? [],
        [ViewDraft.Source(set: set, isOwn: true, isIncluded: true)])
    }

    mutating func view(of fragment: FragmentDefinition) -> RecordView {
      if let known = fragments[ObjectIdentifier(fragment)] { return known }
      let made = view(fragment.selectionSet)
      fragments[ObjectIdentifier(fragment)] = made
      return made
    }

    private mutating func view(known: [TypeInfo], _ sources: [ViewDraft.Source]) -> RecordView {
      var draft = ViewDraft(schema: schema, known: known)
      for source in sources {
        draft.walk(source.set, isOwn: source.isOwn, isIncluded: source.isIncluded)
      }
      let view = RecordView()
      view.entries = draft.entries.map { entry in
        RecordView.Entry(entry, below(entry, known, sources))
      }
      return view
    }

    private mutating func below(
      _ entry: ViewDraft.Entry, _ known: [TypeInfo], _ sources: [ViewDraft.Source]
    ) -> RecordView? {
      let own = entry.sets.map {
        ViewDraft.Source(set: $0.set, isOwn: true, isIncluded: $0.isIncluded)
      }
      switch entry.kind {
      case .field:
        if own.isEmpty { return nil }
        return view(known: types(of: entry.fieldName, known), own)
      case .typeCase(let name):
        let around = sources.map {
          ViewDraft.Source(set: $0.set, isOwn: false, isIncluded: $0.isIncluded)
        }
        return view(known: known + [schema.type(named: name)].compactMap { $0 }, around + own)
      case .fragment(let fragment):
        return view(of: fragment)
      case .deferred(let name):
        return view(known: known + [schema.type(named: name)].compactMap { $0 }, own)
      }
    }

    /// The types of a field's object: one for each known type that has the field, since an interface may
    /// have it with another type. Equal ones are kept at their last place.
    private func types(of field: String, _ known: [TypeInfo]) -> [TypeInfo] {
      var types: [TypeInfo] = []
      for owner in known {
        guard let type = owner.field(field).flatMap({ schema.type(of: $0) }) else { continue }
        types.removeAll { $0.name == type.name }
        types.append(type)
      }
      return types
    }
  }

  /// The entries of a view that is being created.
  struct ViewDraft {
    struct Source {
      let set: SelectionSet
      /// Whether type conditions in it become entries.
      let isOwn: Bool
      /// Whether no directive leaves it out. Another set may have the same fields.
      let isIncluded: Bool
    }

    struct Entry {
      let kind: RecordView.Entry.Kind
      /// The field's name in the schema.
      let fieldName: String
      var sets: [(set: SelectionSet, isIncluded: Bool)] = []
      var isIncluded = false
      var mayComeLater = true
    }

    private enum Key: Hashable {
      case field(String)
      case typeCase(String)
      case fragment(String)
      case deferred(ObjectIdentifier)
    }

    let schema: SchemaTable
    let known: [TypeInfo]
    private(set) var entries: [Entry] = []
    private var slots: [Key: Int] = [:]

    init(schema: SchemaTable, known: [TypeInfo]) {
      self.schema = schema
      self.known = known
    }

    mutating func walk(_ set: SelectionSet, isOwn: Bool, isIncluded: Bool) {
      for entry in set.entries {
        switch entry {
        case .field(let field):
          add(
            .field(field.responseName), .field(key: field.responseName), field.name,
            field.selectionSet, isIncluded && field.directives.include)
        case .inlineFragment(let condition, let directives, let inner):
          let isIncluded = isIncluded && directives.include
          if directives.mayComeLater {
            guard isOwn else { continue }
            add(
              .deferred(ObjectIdentifier(inner)), .deferred(condition), "", inner, isIncluded,
              mayComeLater: true)
          } else if isCertain(condition) {
            walk(inner, isOwn: isOwn, isIncluded: isIncluded)
          } else if isOwn {
            add(.typeCase(condition), .typeCase(condition), "", inner, isIncluded)
          }
        case .spread(let fragment, let directives):
          add(
            .fragment(fragment.name), .fragment(fragment), "", nil,
            isIncluded && directives.include, mayComeLater: directives.mayComeLater)
        }
      }
    }

    private func isCertain(_ condition: String) -> Bool {
      known.isEmpty || known.contains { schema.applies(condition, to: $0) }
    }

    private mutating func add(
      _ key: Key, _ kind: RecordView.Entry.Kind, _ fieldName: String, _ set: SelectionSet?,
      _ isIncluded: Bool, mayComeLater: Bool = false
    ) {
      let slot = slots[key] ?? entries.count
      if slot == entries.count {
        slots[key] = slot
        entries.append(Entry(kind: kind, fieldName: fieldName))
      }
      if let set {
        if let known = entries[slot].sets.firstIndex(where: { $0.set === set }) {
          if isIncluded { entries[slot].sets[known].isIncluded = true }
        } else {
          entries[slot].sets.append((set, isIncluded))
        }
      }
      if isIncluded { entries[slot].isIncluded = true }
      if isIncluded, !mayComeLater { entries[slot].mayComeLater = false }
    }
  }
}

extension GraphQL {
  /// A number for the views of a document, by which code is found that was generated with other rules or
  /// from another document (FNV-1a, 32 bits).
  struct ViewChecksum {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ view: RecordView) {
      for entry in view.entries {
        switch entry.kind {
        case .field(let key):
          add(key)
          if let below = entry.view { addBody(below) } else { add(",") }
        case .typeCase(let name):
          add("on \(name)")
          if let view = entry.view { addBody(view) }
        case .fragment(let fragment): add("...\(fragment.name);")
        case .deferred:
          add("@")
          if let view = entry.view { addBody(view) }
        }
      }
    }

    mutating func add(fragment name: String, _ view: RecordView) {
      add("...\(name)")
      addBody(view)
    }

    private mutating func addBody(_ view: RecordView) {
      add("{")
      add(view)
      add("}")
    }

    private mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
    }
  }
}

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
