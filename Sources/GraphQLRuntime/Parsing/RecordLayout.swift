import GraphJSON

/// The expected members of an object, and the slots of their values: for ``ResponseParser``, which reads it
/// from plain memory. The owner of the memory keeps it alive while it is used.
// Safe: the owner of the layout frees its memory after the last parser that uses it.
@unsafe struct RecordLayout {
  /// A part of a record, with a header of its own.
  struct Part: BitwiseCopyable {
    let offset: Int32
    let slotCount: Int32

    init(offset: Int, slotCount: Int) {
      self.offset = Int32(offset)
      self.slotCount = Int32(slotCount)
    }
  }

  /// A slot that leads to a part of a record: for ``links``, of the same one, and for ``Step/targets``, of the records
  /// of the member's objects.
  struct Target: BitwiseCopyable {
    let slot: Int32
    let part: Int32

    init(slot: Int, part: Int) {
      self.slot = Int32(slot)
      self.part = Int32(part)
    }
  }

  let steps: UnsafeBufferPointer<RecordStep>
  let parts: UnsafeBufferPointer<Part>
  let links: UnsafeBufferPointer<Target>
  /// The slots that no step and no link sets.
  let emptySlots: UnsafeBufferPointer<Int32>
  let size: Int

  /// - Parameter parts: one after another, without a gap.
  init(
    steps: [RecordStep], parts: [Part], links: [Target], size: Int
  ) {
    var set = Set(links.map(\.slot))
    for position in unsafe steps.indices {
      let targets = unsafe steps[position].targets
      for target in targets.indices { unsafe set.insert(targets[target].slot) }
    }
    let headers = Set(parts.map(\.offset))
    unsafe self.steps = .copying(steps)
    unsafe self.parts = .copying(parts)
    unsafe self.links = .copying(links)
    unsafe emptySlots = .copying(
      (0..<Int32(size)).filter { !set.contains($0) && !headers.contains($0) })
    unsafe self.size = size
  }

  func deallocate() {
    for position in unsafe steps.indices { unsafe steps[position].deallocate() }
    unsafe steps.deallocate()
    unsafe parts.deallocate()
    unsafe links.deallocate()
    unsafe emptySlots.deallocate()
  }
}

extension UnsafeBufferPointer {
  // Safe: the owner deallocates the memory.
  static func copying(_ elements: [Element]) -> UnsafeBufferPointer {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe memory.initialize(from: elements)
    return UnsafeBufferPointer(memory)
  }
}

/// A member of an object that ``ResponseParser`` expects, in the order of the selection.
// Safe: its memory is freed with the layout.
@unsafe struct RecordStep {
  /// The kind of a member's values, or of its elements.
  enum Leaf: UInt8 {
    case string, id, scalar, text, anything
    case int, float, boolean, object

    /// Whether each string is a valid value.
    var takesAllStrings: Bool { self == .string || self == .id || self == .anything }

    var takesStrings: Bool {
      @inline(__always) get { rawValue <= Leaf.anything.rawValue }
    }
  }

  /// Whether a scalar's text, which is the contents of a string without escapes, is certainly valid. It may read eight
  /// bytes from the start of a shorter text.
  typealias TextCheck = @convention(c) (UnsafePointer<UInt8>, Int) -> Bool

  /// The member as it begins in a text without spaces: the comma before it (except before the first), the key and
  /// the colon.
  let start: TextPattern
  let keyCount: Int
  let leaf: Leaf
  let isList: Bool
  /// Whether the elements of the list are lists. Only null is parsed then.
  let isNested: Bool
  let isNonNull: Bool
  let isElementNonNull: Bool
  /// A number of the caller for a scalar.
  let scalar: Int32
  let textCheck: TextCheck?
  /// The only valid text of a leaf of the kind `text`.
  let text: UnsafeBufferPointer<UInt8>
  let targets: UnsafeBufferPointer<RecordLayout.Target>
  /// -1 unless the member is a single string that needs no check and has at most one slot: then its slot, 0 for a tape.
  let plainSlot: Int32
  let below: UnsafePointer<RecordChoice>?

  /// - Parameters:
  ///   - key: the response name, ASCII.
  ///   - isFirst: whether the member is the first one.
  ///   - targets: at least one for records, none for a tape.
  ///   - text: the only valid text of a leaf of the kind `text`.
  ///   - below: the layouts of the objects.
  init(
    key: [UInt8], isFirst: Bool, leaf: Leaf, isList: Bool, isNested: Bool, isNonNull: Bool,
    isElementNonNull: Bool, scalar: Int, textCheck: TextCheck?, text: [UInt8] = [],
    targets: [RecordLayout.Target], below: UnsafePointer<RecordChoice>?
  ) {
    let comma = isFirst ? [] : [Byte.comma]
    unsafe start = TextPattern(comma + [Byte.quote] + key + [Byte.quote, Byte.colon])
    unsafe keyCount = key.count
    unsafe self.leaf = leaf
    unsafe self.isList = isList
    unsafe self.isNested = isNested
    unsafe self.isNonNull = isNonNull
    unsafe self.isElementNonNull = isElementNonNull
    unsafe self.scalar = Int32(scalar)
    unsafe self.textCheck = unsafe textCheck
    unsafe self.text = .copying(text)
    unsafe self.targets = .copying(targets)
    let isPlain = !isList && targets.count <= 1 && leaf.takesAllStrings
    unsafe plainSlot = isPlain ? targets.first?.slot ?? 0 : -1
    unsafe self.below = unsafe below
  }

  /// Whether a string without escapes is the only valid text.
  func isText(_ start: TextCursor, _ count: Int) -> Bool {
    unsafe count == text.count && (0..<count).allSatisfy { unsafe (start + $0).byte == text[$0] }
  }

  func deallocate() {
    unsafe start.deallocate()
    unsafe text.deallocate()
    unsafe targets.deallocate()
  }
}

/// The layouts of the objects at one place.
// Safe: the owner of the place frees its memory, and the layouts live as long as the place.
@unsafe struct RecordChoice {
  /// The layout of all of them; nil if it depends on their types, or is not known.
  var only: UnsafePointer<RecordLayout>?
  /// The layouts by the names of types, each with the quote after it.
  private var types: UnsafeBufferPointer<(name: TextPattern, layout: UnsafePointer<RecordLayout>)>

  init() {
    unsafe only = nil
    unsafe types = .init(start: nil, count: 0)
  }

  /// Adds the layout for a type.
  mutating func add(_ typeName: [UInt8], _ layout: UnsafePointer<RecordLayout>) {
    let added = unsafe (name: TextPattern(typeName + [Byte.quote]), layout: layout)
    let larger = unsafe UnsafeBufferPointer.copying(Array(types) + [added])
    unsafe types.deallocate()
    unsafe types = unsafe larger
  }

  func deallocate() {
    for position in unsafe types.indices { unsafe types[position].name.deallocate() }
    unsafe types.deallocate()
  }

  /// - Parameter name: the first letter of a type's name.
  @inline(__always)
  func layout(at name: TextCursor) -> UnsafePointer<RecordLayout>? {
    for position in unsafe types.indices where unsafe types[position].name.matches(name) {
      return unsafe types[position].layout
    }
    return nil
  }
}

/// A text without a zero byte that is expected at a cursor, compared in a few instructions.
// Safe: its memory is not written after it is created, and freed by its owner.
@unsafe struct TextPattern {
  private let first: UInt64
  private let firstMask: UInt64
  /// The ninth to the sixteenth byte; the mask is zero if there are none.
  private let second: UInt64
  private let secondMask: UInt64
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ text: [UInt8]) {
    unsafe (first, firstMask) = JSONKey.word(text.prefix(8))
    unsafe (second, secondMask) = JSONKey.word(text.dropFirst(8).prefix(8))
    unsafe bytes = .copying(text)
  }

  func deallocate() { unsafe bytes.deallocate() }

  /// Whether the text is that at the cursor.
  @inline(__always)
  func matches(_ cursor: TextCursor) -> Bool {
    guard unsafe (cursor.word ^ first) & firstMask == 0 else { return false }
    if unsafe secondMask == 0 { return true }
    // The eight bytes before are not zero, so these are in the text or the padding; so it is with the rest.
    guard unsafe ((cursor + 8).word ^ second) & secondMask == 0 else { return false }
    return unsafe bytes.count <= 16 || matchesRest(cursor)
  }

  private func matchesRest(_ cursor: TextCursor) -> Bool {
    var offset = 16
    while unsafe offset < bytes.count {
      guard unsafe (cursor + offset).byte == bytes[offset] else { return false }
      offset &+= 1
    }
    return true
  }
}

/// Records under construction: words like those of a tape, but with a fixed place for each value.
///
/// A record has a header and then one word, a slot, for each expected value:
///
/// | slot | contents |
/// |---|---|
/// | no value | zero |
/// | a part of the object that has not arrived | null, not zero |
/// | null, bool, number, string | the word of the tape |
/// | array or object that is kept as it is | its kind and the index of a copy of its tape |
/// | record | ``TapeWord/linkFlag``, object, and the index of its header |
/// | list of records | ``TapeWord/linkFlag``, array, and the index of a block |
///
/// A block is laid out like an array on a tape; its elements are slots. The header has the number of slots
/// and the offset of the object in the text.
struct RecordWords {
  private var words: [TapeWord] = []

  /// - Parameter capacity: the expected number of words.
  init(capacity: Int) { words.reserveCapacity(capacity) }

  var count: Int { words.count }

  /// Adds slots without a value, and returns the index of the first one.
  mutating func reserve(_ count: Int) -> Int {
    let start = words.count
    words.append(contentsOf: repeatElement(TapeWord(bits: 0), count: count))
    return start
  }

  /// Sets the header of a record.
  ///
  /// - Parameters:
  ///   - object: the object at this index of the tape.
  mutating func setHeader(
    _ index: Int, slotCount: Int, of object: Int, in document: JSONDocument
  ) {
    words[index] = TapeWord(.object, length: slotCount, offset: document.tape[object].offset)
  }

  /// Sets a slot to the record with the header at `record`.
  mutating func link(_ slot: Int, toRecord record: Int) {
    words[slot] = .link(to: record)
  }

  /// Adds a block for the list at `list` of the tape, sets a slot to it, and returns the index of its
  /// first element.
  mutating func addBlock(_ slot: Int, for list: Int, in document: JSONDocument) -> Int {
    let source = document.tape[list]
    let block = reserve(2 + source.length)
    words[block] = TapeWord(.array, length: source.length, offset: source.offset)
    words[block + 1] = TapeWord(
      tapeEnd: words.count, sourceEnd: document.tape[list + 1].sourceEnd)
    words[slot] = TapeWord(
      .array, flags: TapeWord.linkFlag, length: source.length, offset: block)
    return block + 2
  }

  /// Sets a slot to the value at `value` of the tape as it is.
  mutating func copy(_ value: Int, of document: JSONDocument, to slot: Int) {
    let word = document.tape[value]
    guard word.isContainer else {
      words[slot] = word
      return
    }
    let end = document.tape[value + 1].tapeEnd
    let start = words.count
    words.append(contentsOf: document.tape[value..<end])
    var index = start
    while index < words.count {
      if words[index].isContainer {
        let second = words[index + 1]
        words[index + 1] = TapeWord(
          tapeEnd: second.tapeEnd - value + start, sourceEnd: second.sourceEnd)
        index += 2
      } else {
        index += 1
      }
    }
    words[slot] = TapeWord(word.kind, length: word.length, offset: start)
  }

  /// Sets a slot to what another one has.
  mutating func copySlot(_ other: Int, to slot: Int) { words[slot] = words[other] }

  /// Marks a slot whose record has not arrived. Otherwise it reads like one without a value.
  mutating func setMissing(_ slot: Int) {
    words[slot] = TapeWord(.null, length: 1, offset: 0)
  }

  /// The records over the text of `document`, as a document whose indexes are those of the records.
  consuming func finish(_ document: JSONDocument) -> JSONDocument {
    JSONDocument(words: words, padded: document.padded)
  }
}

extension TapeWord {
  /// In records, the mark of a slot that leads to a record or to a list of records.
  @inlinable static var linkFlag: UInt64 { 1 &<< 60 }

  /// A slot that leads to the record with the header at `record`.
  @inline(__always)
  static func link(to record: Int) -> TapeWord {
    TapeWord(.object, flags: linkFlag, length: 0, offset: record)
  }
}

// Safe: the user passes only indexes of slots, as for the indexes of a tape.
extension JSONTape {
  /// The record, block or copy to which a slot leads.
  @inlinable @inline(__always)
  func place(ofSlot slot: Int) -> Int { unsafe words[slot].offset }

  /// Whether a slot has neither a record nor another value than null.
  @inlinable @inline(__always)
  func isEmpty(slot: Int) -> Bool { unsafe words[slot].kind == .null }

  /// Whether a slot is for a part of the object that has not arrived.
  func isMissing(slot: Int) -> Bool {
    unsafe isEmpty(slot: slot) && words[slot].bits != 0
  }

  /// Where the object of a record begins in the text.
  func offset(ofRecord record: Int) -> Int { unsafe words[record].offset }

  /// Whether a slot leads to a record.
  @inlinable @inline(__always)
  func isRecord(slot: Int) -> Bool {
    unsafe words[slot].bits &>> 60 == UInt64(JSONKind.object.rawValue) &<< 1 | 1
  }

  /// Whether a slot leads to a list of records.
  @inlinable @inline(__always)
  func isList(slot: Int) -> Bool {
    unsafe words[slot].bits &>> 60 == UInt64(JSONKind.array.rawValue) &<< 1 | 1
  }

  /// Whether a slot leads to a record or to a list of records.
  @inlinable @inline(__always)
  func isLink(slot: Int) -> Bool {
    unsafe words[slot].isContainer && words[slot].bits & TapeWord.linkFlag != 0
  }

  /// The index of the value of a slot that is not a link: its own, or that of the copy of a tape.
  @inlinable @inline(__always)
  func value(ofSlot slot: Int) -> Int {
    unsafe words[slot].isContainer ? words[slot].offset : slot
  }

  /// The number of slots of the record with the header at `record`.
  @inlinable @inline(__always)
  func slotCount(ofRecord record: Int) -> Int { unsafe words[record].length }

  /// The text of the object of which the header at `record` is the beginning. It was parsed before, so that its
  /// brackets match.
  func text(ofRecord record: Int) -> String {
    let start = unsafe text + words[record].offset
    var end = unsafe start
    var depth = 0
    var isInString = false
    repeat {
      switch unsafe end.pointee {
      case Byte.backslash: unsafe end += 1
      case Byte.quote: isInString.toggle()
      case Byte.openBrace where !isInString: depth += 1
      case Byte.closeBrace where !isInString: depth -= 1
      default: break
      }
      unsafe end += 1
    } while depth > 0
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
  }

  /// Whether two slots of scalars have the same text.
  func hasSameText(_ slot: Int, _ other: JSONTape, _ otherSlot: Int) -> Bool {
    let (left, right) = unsafe (source(at: slot), other.source(at: otherSlot))
    guard left.count == right.count else { return false }
    guard let start = left.baseAddress, let otherStart = right.baseAddress else {
      return true
    }
    return unsafe WordScan.isEqual(start, otherStart, left.count)
  }
}
