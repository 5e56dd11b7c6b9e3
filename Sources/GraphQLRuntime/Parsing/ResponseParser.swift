import GraphJSON

/// Parses a response and checks it in one pass over the bytes, to records or to a tape.
///
/// It reads responses as servers usually send them: members in the order of the selection, none missing and
/// none unknown. For any other it stops, and the caller parses the text in general.
///
/// It recurses as deep as the selection.
// Safe: the cursor moves as that of `TapeBuilder`, and never over a zero byte; `reserve` ensures that the
// memory has space; layouts are alive during the call.
@safe struct ResponseParser: ~Copyable {
  enum Failure: Error {
    /// The response has another form than the usual one.
    case unusual
    /// There are more words than expected.
    case overflow
  }

  /// The form of the result.
  enum Form {
    /// Records with the slots of the layout.
    case records
    /// The tape of the value of `data`, as ``TapeBuilder`` writes it. It needs no slots.
    case tape
  }

  /// A response.
  struct Result {
    /// The records, or the document whose root is the value of `data`.
    let data: JSONDocument
    /// The object of the members of the response after `data`; nil if there are none.
    let rest: JSONDocument?
    /// The slots, or indexes, of scalars that are not checked, and their numbers.
    let unchecked: [(slot: Int, scalar: Int)]
  }

  let base: TextCursor
  let end: TextCursor
  let words: UnsafeMutablePointer<TapeWord>
  let capacity: Int
  var used = 0
  /// The elements of lists that are being parsed wait at the end of the memory, the last one first.
  var waiting: Int
  /// The most words that were needed at a time.
  var peak = 0
  var unchecked: [(slot: Int, scalar: Int)] = []

  private init(
    _ padded: UnsafeBufferPointer<UInt8>, _ words: UnsafeMutableBufferPointer<TapeWord>
  ) {
    unsafe base = TextCursor(padded.baseAddress!)
    end = base + (padded.count - TapeBuilder.padding)
    unsafe self.words = words.baseAddress!
    capacity = words.count
    waiting = capacity
  }

  /// The response; nil if it is not as usual.
  ///
  /// - Parameters:
  ///   - padded: the text, which ``JSONDocument/pad(_:)`` has prepared.
  ///   - root: the layout of `data`.
  ///   - wordsPerByte: the expected number of words, which is corrected.
  static func parse(
    _ padded: [UInt8], _ root: UnsafePointer<RecordLayout>, to form: Form,
    wordsPerByte: inout Double
  ) -> Result? {
    guard padded.count <= JSONDocument.maximumByteCount else { return nil }
    while true {
      let capacity = Int(Double(padded.count) * wordsPerByte * 1.1) + 64
      // A slot has no space for a larger index.
      guard capacity < 1 &<< 30 else { return nil }
      do throws(Failure) {
        return try unsafe parse(padded, root, form, capacity: capacity, &wordsPerByte)
      } catch .overflow {
        wordsPerByte *= 2
      } catch {
        return nil
      }
    }
  }

  private static func parse(
    _ padded: [UInt8], _ root: UnsafePointer<RecordLayout>, _ form: Form, capacity: Int,
    _ wordsPerByte: inout Double
  ) throws(Failure) -> Result {
    var failure: Failure?
    var rest: Int?
    var peak = 0
    var unchecked: [(slot: Int, scalar: Int)] = []
    let words = unsafe padded.withUnsafeBufferPointer { text in
      unsafe [TapeWord](unsafeUninitializedCapacity: capacity) { words, count in
        var parser = unsafe ResponseParser(text, words)
        do throws(Failure) {
          rest = try unsafe parser.response(root, form)
          count = parser.used
          peak = max(parser.peak, count)
          swap(&unchecked, &parser.unchecked)
        } catch let error {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    wordsPerByte = Double(peak) / Double(padded.count)
    return Result(
      data: JSONDocument(words: words, padded: padded), rest: try Self.rest(padded, rest),
      unchecked: unchecked)
  }

  /// The members after `data`, which begin at an offset.
  private static func rest(_ padded: [UInt8], _ start: Int?) throws(Failure) -> JSONDocument? {
    guard let start else { return nil }
    let text = [Byte.openBrace] + padded[start..<padded.count - TapeBuilder.padding]
    guard let rest = try? JSONDocument(parsing: text), rest.member("data", of: 0) == nil else {
      throw .unusual
    }
    return rest
  }

  /// Returns the offset of the member after `data`, if there is one.
  private mutating func response(
    _ root: UnsafePointer<RecordLayout>, _ form: Form
  ) throws(Failure) -> Int? {
    var cursor = Self.space(base)
    guard cursor.byte == Byte.openBrace else { throw .unusual }
    cursor = Self.space(cursor + 1)
    // `"data":`
    guard cursor.word & 0x00FF_FFFF_FFFF_FFFF == 0x003A_2261_7461_6422 else { throw .unusual }
    cursor = Self.space(cursor + 7)
    guard cursor.byte == Byte.openBrace else { throw .unusual }
    switch form {
    case .records: cursor = try unsafe record(cursor, root)
    case .tape: cursor = try unsafe object(cursor, root)
    }
    cursor = Self.space(cursor)
    if cursor.byte == Byte.comma {
      cursor = Self.space(cursor + 1)
      // Otherwise the brace could follow, which a member cannot be.
      guard cursor.byte == Byte.quote else { throw .unusual }
      return cursor - base
    }
    guard cursor.byte == Byte.closeBrace else { throw .unusual }
    cursor = Self.space(cursor + 1)
    guard cursor == end else { throw .unusual }
    return nil
  }

  @inline(__always)
  static func space(_ cursor: TextCursor) -> TextCursor {
    cursor.byte <= Byte.space ? TapeBuilder.endOfWhitespace(cursor) : cursor
  }

  @inline(__always)
  mutating func reserve(_ count: Int) throws(Failure) -> Int {
    let start = used
    guard start &+ count <= waiting else { throw .overflow }
    used = start &+ count
    return start
  }
}

// Safe: as in ``ResponseParser``.
extension ResponseParser {
  /// Parses the object with the brace at the cursor.
  ///
  /// - Returns: the cursor after the object.
  mutating func object(
    _ brace: TextCursor, _ layout: UnsafePointer<RecordLayout>
  ) throws(Failure) -> TextCursor {
    let object = try reserve(2)
    let steps = unsafe layout.pointee.steps
    var cursor = brace + 1
    for position in steps.indices {
      let step = unsafe steps.baseAddress.unsafelyUnwrapped + position
      let (key, start) = try unsafe afterKey(cursor, step, isFirst: position == 0)
      // The word of the key, and the first one of the value; other values than plain strings reserve their own.
      let index = try reserve(2)
      unsafe words[index] = TapeWord(.string, length: step.pointee.keyCount, offset: key - base)
      // One branch for most members.
      if unsafe step.pointee.plainSlot >= 0, start.byte == Byte.quote {
        cursor = try string(start + 1, to: index &+ 1).end
      } else {
        used = index &+ 1
        cursor = try unsafe value(start, step)
      }
    }
    cursor = Self.space(cursor)
    guard cursor.byte == Byte.closeBrace else { throw .unusual }
    return finish(object, .object, count: steps.count, brace, cursor)
  }

  /// Writes the words of an object or array whose contents end at a bracket.
  ///
  /// - Returns: the cursor after it.
  @inline(__always)
  private func finish(
    _ index: Int, _ kind: JSONKind, count: Int, _ start: TextCursor, _ end: TextCursor
  ) -> TextCursor {
    unsafe words[index] = TapeWord(kind, length: count, offset: start - base)
    unsafe words[index &+ 1] = TapeWord(tapeEnd: used, sourceEnd: end + 1 - base)
    return end + 1
  }

  @inline(__always)
  private mutating func value(
    _ cursor: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    if unsafe step.pointee.isList { return try unsafe list(cursor, step) }
    return try unsafe single(cursor, step, isNonNull: step.pointee.isNonNull)
  }

  /// Parses a value that is not a list.
  @inline(__always)
  private mutating func single(
    _ cursor: TextCursor, _ step: UnsafePointer<RecordStep>, isNonNull: Bool
  ) throws(Failure) -> TextCursor {
    if unsafe step.pointee.leaf == .object, cursor.byte == Byte.openBrace {
      return try unsafe object(cursor, layoutBelow(cursor, step))
    }
    return try unsafe leaf(cursor, to: reserve(1), step, isNonNull: isNonNull)
  }

  private mutating func list(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    guard start.byte == Byte.openBracket else {
      let (word, end) = try unsafe Self.rare(start, base, .object, step.pointee.isNonNull)
      let index = try reserve(1)
      unsafe words[index] = word
      return end
    }
    if unsafe step.pointee.isNested { throw .unusual }
    let list = try reserve(2)
    var cursor = Self.space(start + 1)
    var count = 0
    if cursor.byte != Byte.closeBracket {
      while true {
        cursor = Self.space(
          try unsafe single(cursor, step, isNonNull: step.pointee.isElementNonNull))
        count &+= 1
        guard cursor.byte == Byte.comma else { break }
        cursor = Self.space(cursor + 1)
      }
      guard cursor.byte == Byte.closeBracket else { throw .unusual }
    }
    return finish(list, .array, count: count, start, cursor)
  }
}

// Safe: as in ``ResponseParser``.
extension ResponseParser {
  /// Parses the object with the brace at the cursor. Its record has the index that was the next one.
  ///
  /// - Returns: the cursor after the object.
  mutating func record(
    _ brace: TextCursor, _ layout: UnsafePointer<RecordLayout>
  ) throws(Failure) -> TextCursor {
    let record = try unsafe reserve(layout.pointee.size)
    unsafe begin(record, at: brace - base, layout)
    var cursor = brace + 1
    let steps = unsafe layout.pointee.steps
    for position in steps.indices {
      let step = unsafe steps.baseAddress.unsafelyUnwrapped + position
      let start = try unsafe afterKey(cursor, step, isFirst: position == 0).value
      cursor = try unsafe value(start, record, step)
    }
    cursor = Self.space(cursor)
    guard cursor.byte == Byte.closeBrace else { throw .unusual }
    return cursor + 1
  }

  @inline(__always)
  private func begin(_ record: Int, at offset: Int, _ layout: UnsafePointer<RecordLayout>) {
    let first = unsafe words + record
    for position in unsafe layout.pointee.parts.indices {
      let part = unsafe layout.pointee.parts[position]
      unsafe first[Int(part.offset)] = TapeWord(
        .object, length: Int(part.slotCount), offset: offset)
    }
    for position in unsafe layout.pointee.links.indices {
      let link = unsafe layout.pointee.links[position]
      unsafe first[Int(link.slot)] = .link(to: record &+ Int(link.part))
    }
    for position in unsafe layout.pointee.emptySlots.indices {
      unsafe first[Int(layout.pointee.emptySlots[position])] = TapeWord(bits: 0)
    }
  }

  @inline(__always)
  private mutating func value(
    _ cursor: TextCursor, _ record: Int, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    // One branch for most members.
    let plainSlot = unsafe Int(step.pointee.plainSlot)
    if plainSlot >= 0, cursor.byte == Byte.quote {
      return try string(cursor + 1, to: record &+ plainSlot).end
    }
    let targets = unsafe step.pointee.targets
    if unsafe step.pointee.isList { return try unsafe list(cursor, record, step) }
    if unsafe step.pointee.leaf == .object, cursor.byte == Byte.openBrace {
      let below = used
      let end = try unsafe self.record(cursor, layoutBelow(cursor, step))
      for position in targets.indices {
        let target = unsafe targets[position]
        unsafe words[record &+ Int(target.slot)] = .link(to: below &+ Int(target.part))
      }
      return end
    }
    let slot = unsafe record &+ Int(targets.baseAddress.unsafelyUnwrapped.pointee.slot)
    let end = try unsafe leaf(cursor, to: slot, step, isNonNull: step.pointee.isNonNull)
    if targets.count > 1 { unsafe copy(slot, record, targets) }
    return end
  }

  private func copy(
    _ slot: Int, _ record: Int, _ targets: UnsafeBufferPointer<RecordLayout.Target>
  ) {
    for position in targets.indices {
      unsafe words[record &+ Int(targets[position].slot)] = unsafe words[slot]
    }
  }

  // MARK: Lists

  private mutating func list(
    _ start: TextCursor, _ record: Int, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    let targets = unsafe step.pointee.targets
    guard start.byte == Byte.openBracket else {
      let (word, end) = try unsafe Self.rare(start, base, .object, step.pointee.isNonNull)
      for position in targets.indices {
        unsafe words[record &+ Int(targets[position].slot)] = word
      }
      return end
    }
    if unsafe step.pointee.isNested { throw .unusual }
    let mark = waiting
    let checked = unchecked.count
    let end = try unsafe elements(start, step)
    let source = (start: start - base, end: end - base)
    let isLink = unsafe step.pointee.leaf == .object
    let count = mark &- waiting
    var block = used
    for position in targets.indices {
      let target = unsafe targets[position]
      // Values have one block for all slots.
      if isLink || position == 0 {
        block = try addBlock(mark, source, part: isLink ? Int(target.part) : 0)
      }
      unsafe words[record &+ Int(target.slot)] = TapeWord(
        .array, flags: isLink ? TapeWord.linkFlag : 0, length: count, offset: block)
    }
    waiting = mark
    if !isLink {
      for position in checked..<unchecked.count {
        unchecked[position].slot = block &+ 1 &+ mark &- unchecked[position].slot
      }
    }
    return end
  }

  /// Adds a block with the waiting elements from `mark` on.
  ///
  /// - Parameter part: where the part begins that is read in their records.
  private mutating func addBlock(
    _ mark: Int, _ source: (start: Int, end: Int), part: Int
  ) throws(Failure) -> Int {
    let count = mark &- waiting
    peak = max(peak, used &+ 2 &+ count &+ (capacity &- waiting))
    let block = try reserve(2 &+ count)
    unsafe words[block] = TapeWord(.array, length: count, offset: source.start)
    unsafe words[block &+ 1] = TapeWord(tapeEnd: block &+ 2 &+ count, sourceEnd: source.end)
    let first = unsafe words + (block &+ 2)
    let last = unsafe words + (mark &- 1)
    for position in 0..<count {
      let word = unsafe last[0 &- position]
      // Null elements have no place.
      unsafe first[position] =
        word.kind == .object ? TapeWord(bits: word.bits &+ UInt64(part)) : word
    }
    return block
  }

  /// Parses the elements, which wait.
  ///
  /// - Returns: the cursor after the list.
  @inline(__always)
  private mutating func elements(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> TextCursor {
    var cursor = Self.space(start + 1)
    if cursor.byte == Byte.closeBracket { return cursor + 1 }
    while true {
      guard used < waiting else { throw .overflow }
      if unsafe step.pointee.leaf == .object, cursor.byte == Byte.openBrace {
        let below = used
        cursor = try unsafe record(cursor, layoutBelow(cursor, step))
        guard used < waiting else { throw .overflow }
        waiting &-= 1
        unsafe words[waiting] = .link(to: below)
      } else {
        waiting &-= 1
        cursor = try unsafe leaf(
          cursor, to: waiting, step, isNonNull: step.pointee.isElementNonNull)
      }
      cursor = Self.space(cursor)
      guard cursor.byte == Byte.comma else { break }
      cursor = Self.space(cursor + 1)
    }
    guard cursor.byte == Byte.closeBracket else { throw .unusual }
    return cursor + 1
  }
}

// Safe: as in ``ResponseParser``.
extension ResponseParser {
  /// Moves over a key that is expected, and what is before it and after it.
  @inline(__always)
  func afterKey(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>, isFirst: Bool
  ) throws(Failure) -> (key: TextCursor, value: TextCursor) {
    guard unsafe step.pointee.start.matches(start) else {
      return try unsafe afterSpacedKey(start, step, isFirst: isFirst)
    }
    let value = unsafe start + step.pointee.start.bytes.count
    return (start + (isFirst ? 1 : 2), Self.space(value))
  }

  /// The same for a text with spaces.
  @inline(never)
  private func afterSpacedKey(
    _ start: TextCursor, _ step: UnsafePointer<RecordStep>, isFirst: Bool
  ) throws(Failure) -> (key: TextCursor, value: TextCursor) {
    let text = unsafe step.pointee.start.bytes
    var cursor = Self.space(start)
    // The key is without the comma and the colon.
    let key = (isFirst ? 0 : 1)..<text.count - 1
    if !isFirst {
      guard cursor.byte == Byte.comma else { throw .unusual }
      cursor = Self.space(cursor + 1)
    }
    let quote = cursor
    for position in key {
      guard unsafe cursor.byte == text[position] else { throw .unusual }
      cursor += 1
    }
    cursor = Self.space(cursor)
    guard cursor.byte == Byte.colon else { throw .unusual }
    return (quote + 1, Self.space(cursor + 1))
  }

  /// The layout of the object with the brace at the cursor.
  @inline(__always)
  func layoutBelow(
    _ brace: TextCursor, _ step: UnsafePointer<RecordStep>
  ) throws(Failure) -> UnsafePointer<RecordLayout> {
    guard let choice = unsafe step.pointee.below else { throw .unusual }
    if let only = unsafe choice.pointee.only { return unsafe only }
    return try unsafe layout(brace, choice)
  }

  /// The layout of an object that begins with its type.
  private func layout(
    _ brace: TextCursor, _ choice: UnsafePointer<RecordChoice>
  ) throws(Failure) -> UnsafePointer<RecordLayout> {
    var cursor = Self.space(brace + 1)
    // `"__typename"`
    guard cursor.word == 0x6E_65_70_79_74_5F_5F_22, (cursor + 8).byte == UInt8(ascii: "a"),
      (cursor + 9).byte == UInt8(ascii: "m"), (cursor + 10).byte == UInt8(ascii: "e"),
      (cursor + 11).byte == Byte.quote
    else { throw .unusual }
    cursor = Self.space(cursor + 12)
    guard cursor.byte == Byte.colon else { throw .unusual }
    cursor = Self.space(cursor + 1)
    guard cursor.byte == Byte.quote, let layout = unsafe choice.pointee.layout(at: cursor + 1)
    else { throw .unusual }
    return unsafe layout
  }
}

// Safe: as in ``ResponseParser``.
extension ResponseParser {
  /// Parses a value that is neither an object nor a list.
  @inline(__always)
  mutating func leaf(
    _ cursor: TextCursor, to slot: Int, _ step: UnsafePointer<RecordStep>, isNonNull: Bool
  ) throws(Failure) -> TextCursor {
    let leaf = unsafe step.pointee.leaf
    guard cursor.byte == Byte.quote else {
      let (word, end) = try Self.rare(cursor, base, leaf, isNonNull)
      unsafe words[slot] = word
      if leaf == .scalar, word.kind != .null {
        unsafe unchecked.append((slot, Int(step.pointee.scalar)))
      }
      return end
    }
    guard leaf.takesStrings else { throw .unusual }
    let start = cursor + 1
    let (quote, flags, end) = try string(start, to: slot)
    if leaf == .scalar { unsafe check(start, quote - start, flags, slot, step) }
    if leaf == .text, unsafe !step.pointee.isText(start, quote - start) { throw .unusual }
    return end
  }

  /// Parses a string from the byte after its quote.
  ///
  /// - Returns: the closing quote, the string's flags, and the cursor after it.
  @inline(__always)
  func string(
    _ start: TextCursor, to slot: Int
  ) throws(Failure) -> (quote: TextCursor, flags: UInt64, end: TextCursor) {
    var flags: UInt64 = 0
    var quote = TapeBuilder.endOfPlainRun(start)
    if quote.byte != Byte.quote {
      let rest = TapeBuilder.rest(at: quote, end: end)
      if rest.failure != nil { throw .unusual }
      quote = rest.end
      flags = rest.flags
    }
    unsafe words[slot] = TapeWord(
      .string, flags: flags, length: quote - start, offset: start - base)
    return (quote, flags, quote + 1)
  }

  /// Notes a scalar in a string if its text does not show that it is valid.
  private mutating func check(
    _ text: TextCursor, _ count: Int, _ flags: UInt64, _ slot: Int,
    _ step: UnsafePointer<RecordStep>
  ) {
    if flags & TapeWord.escapeFlag == 0, let isValid = unsafe step.pointee.textCheck,
      unsafe isValid(text.pointer, count)
    {
      return
    }
    unsafe unchecked.append((slot, Int(step.pointee.scalar)))
  }

  /// Parses null, a Boolean value or a number. Not a method: the parser's state would be
  /// written to memory for the call.
  static func rare(
    _ cursor: TextCursor, _ base: TextCursor, _ leaf: RecordStep.Leaf, _ isNonNull: Bool
  ) throws(Failure) -> (TapeWord, TextCursor) {
    let offset = cursor - base
    switch cursor.byte {
    case Byte.n:
      guard cursor.word & 0xFFFF_FFFF == 0x6C6C_756E, !isNonNull else { throw .unusual }
      return (TapeWord(.null, length: 4, offset: offset), cursor + 4)
    case Byte.t:
      guard cursor.word & 0xFFFF_FFFF == 0x6575_7274, leaf == .boolean || leaf == .anything else {
        throw .unusual
      }
      return (TapeWord(.bool, length: 4, offset: offset), cursor + 4)
    case Byte.f:
      guard cursor.word & 0xFF_FFFF_FFFF == 0x65_736C_6166, leaf == .boolean || leaf == .anything
      else { throw .unusual }
      return (TapeWord(.bool, length: 5, offset: offset), cursor + 5)
    default: return try number(cursor, base, leaf)
    }
  }

  /// Parses a number without an exponent.
  private static func number(
    _ start: TextCursor, _ base: TextCursor, _ leaf: RecordStep.Leaf
  ) throws(Failure) -> (TapeWord, TextCursor) {
    var flags: UInt64 = 0
    let first = start.byte == Byte.minus ? start + 1 : start
    var cursor = try digits(first)
    if first.byte == Byte.zero, cursor - first > 1 { throw .unusual }
    if cursor.byte == Byte.period {
      flags = TapeWord.fractionFlag
      cursor = try digits(cursor + 1)
    }
    guard cursor.byte | 0x20 != Byte.e else { throw .unusual }
    let length = cursor - start
    let fits =
      switch leaf {
      case .int: flags == 0 && length <= 9
      case .id: flags == 0 && length <= 18
      case .float: length <= 300
      case .scalar, .anything: true
      case .string, .text, .boolean, .object: false
      }
    guard fits else { throw .unusual }
    return (TapeWord(.number, flags: flags, length: length, offset: start - base), cursor)
  }

  @inline(__always)
  private static func digits(_ start: TextCursor) throws(Failure) -> TextCursor {
    guard Byte.isDigit(start.byte) else { throw .unusual }
    var cursor = start + 1
    while Byte.isDigit(cursor.byte) { cursor += 1 }
    return cursor
  }
}
