/// Parses a response, checks it and lays out its records in one pass over the bytes.
///
/// It reads responses as servers usually send them: members in the order of the selection, none missing and
/// none unknown. For any other it stops, and the caller parses the text in general.
///
/// It recurses as deep as the selection.
// Safe: the cursor moves as that of `TapeBuilder`, and never over a zero byte; `reserve` ensures that the
// memory has space; layouts are alive during the call.
@safe package struct RecordParser: ~Copyable {
  private enum Failure: Error {
    /// The response has another form than the usual one.
    case unusual
    /// There are more words than expected.
    case overflow
  }

  /// The records of a response.
  package struct Result {
    /// The records.
    package let records: JSONDocument
    /// The object of the members of the response after `data`; nil if there are none.
    package let rest: JSONDocument?
    /// The slots of scalars that are not checked, and their numbers.
    package let unchecked: [(slot: Int, scalar: Int)]
  }

  private let base: TextCursor
  private let end: TextCursor
  private let words: UnsafeMutablePointer<TapeWord>
  private let capacity: Int
  private var used = 0
  private var elements: [TapeWord] = []
  private var unchecked: [(slot: Int, scalar: Int)] = []

  private init(
    _ padded: UnsafeBufferPointer<UInt8>, _ words: UnsafeMutableBufferPointer<TapeWord>
  ) {
    unsafe base = TextCursor(padded.baseAddress!)
    end = base + (padded.count - TapeBuilder.padding)
    unsafe self.words = words.baseAddress!
    capacity = words.count
  }

  /// The records of a response; nil if it is not as usual.
  ///
  /// - Parameters:
  ///   - padded: the text, which ``JSONDocument/pad(_:)`` has prepared.
  ///   - root: the layout of `data`.
  ///   - wordsPerByte: the expected number of words, which is corrected.
  package static func parse(
    _ padded: [UInt8], _ root: UnsafePointer<RecordLayout>, wordsPerByte: inout Double
  ) -> Result? {
    guard padded.count <= JSONDocument.maximumByteCount else { return nil }
    while true {
      let capacity = Int(Double(padded.count) * wordsPerByte * 1.1) + 64
      do throws(Failure) {
        let result = try unsafe parse(padded, root, capacity: capacity)
        wordsPerByte = Double(result.records.tape.count) / Double(padded.count)
        return result
      } catch .overflow where wordsPerByte < 64 {
        wordsPerByte *= 2
      } catch {
        return nil
      }
    }
  }

  private static func parse(
    _ padded: [UInt8], _ root: UnsafePointer<RecordLayout>, capacity: Int
  ) throws(Failure) -> Result {
    var failure: Failure?
    var rest: Int?
    var unchecked: [(slot: Int, scalar: Int)] = []
    let words = unsafe padded.withUnsafeBufferPointer { text in
      unsafe [TapeWord](unsafeUninitializedCapacity: capacity) { words, count in
        var parser = unsafe RecordParser(text, words)
        do throws(Failure) {
          rest = try unsafe parser.response(root)
          count = parser.used
          swap(&unchecked, &parser.unchecked)
        } catch let error {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return Result(
      records: JSONDocument(records: words, padded: padded), rest: try Self.rest(padded, rest),
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
  private mutating func response(_ root: UnsafePointer<RecordLayout>) throws(Failure) -> Int? {
    var cursor = Self.space(base)
    guard cursor.byte == Byte.openBrace else { throw .unusual }
    cursor = Self.space(cursor + 1)
    // `"data":`
    guard cursor.word & 0x00FF_FFFF_FFFF_FFFF == 0x003A_2261_7461_6422 else { throw .unusual }
    cursor = Self.space(cursor + 7)
    guard cursor.byte == Byte.openBrace else { throw .unusual }
    _ = try unsafe object(&cursor, root)
    cursor = Self.space(cursor)
    if cursor.byte == Byte.comma { return (cursor + 1) - base }
    guard cursor.byte == Byte.closeBrace else { throw .unusual }
    cursor = Self.space(cursor + 1)
    guard cursor == end else { throw .unusual }
    return nil
  }

  @inline(__always)
  private static func space(_ cursor: TextCursor) -> TextCursor {
    cursor.byte <= Byte.space ? TapeBuilder.endOfWhitespace(cursor) : cursor
  }

  @inline(__always)
  private mutating func reserve(_ count: Int) throws(Failure) -> Int {
    let start = used
    guard start &+ count <= capacity else { throw .overflow }
    used = start &+ count
    return start
  }

  /// Whether the text at the cursor is that of a key of `length` bytes.
  @inline(__always)
  private func matches(_ key: JSONKey, _ length: Int, _ cursor: TextCursor) -> Bool {
    guard (cursor.word ^ key.first) & key.firstMask == 0 else { return false }
    guard let second = key.second else { return true }
    // The first eight bytes are not zero, so that the next ones are in the text or the padding.
    guard ((cursor + 8).word ^ second.word) & second.mask == 0 else { return false }
    guard let rest = unsafe key.rest else { return true }
    return unsafe end - cursor >= length
      && JSONKey.isEqual((cursor + 16).pointer, UnsafeRawPointer(rest), length &- 16)
  }

  /// Parses an object from its brace; the cursor is after it then.
  ///
  /// - Returns: the index of its record.
  private mutating func object(
    _ cursor: inout TextCursor, _ layout: UnsafePointer<RecordLayout>
  ) throws(Failure) -> Int {
    let record = try unsafe reserve(layout.pointee.size)
    let start = cursor - base
    for position in unsafe layout.pointee.parts.indices {
      let part = unsafe layout.pointee.parts[position]
      let header = record &+ Int(part.offset)
      unsafe words[header] = TapeWord(.object, length: Int(part.slotCount), offset: start)
      // The slots of fragments and of other types that do not apply have no value.
      for slot in 0..<Int(part.slotCount) { unsafe words[header &+ 1 &+ slot] = TapeWord(bits: 0) }
    }
    for position in unsafe layout.pointee.links.indices {
      let link = unsafe layout.pointee.links[position]
      unsafe words[record &+ Int(link.slot)] = TapeWord(
        .object, flags: TapeWord.linkFlag, length: 0, offset: record &+ Int(link.part))
    }
    cursor = Self.space(cursor + 1)
    let count = unsafe layout.pointee.steps.count
    var position = 0
    while position < count {
      let step = unsafe layout.pointee.steps.baseAddress.unsafelyUnwrapped + position
      let length = unsafe Int(step.pointee.keyLength)
      guard unsafe matches(step.pointee.key, length, cursor) else { throw .unusual }
      cursor = Self.space(cursor + length)
      try unsafe value(&cursor, record, step)
      cursor = Self.space(cursor)
      position &+= 1
      if position < count {
        guard cursor.byte == Byte.comma else { throw .unusual }
        cursor = Self.space(cursor + 1)
      }
    }
    guard cursor.byte == Byte.closeBrace else { throw .unusual }
    cursor += 1
    return record
  }

  @inline(__always)
  private mutating func value(
    _ cursor: inout TextCursor, _ record: Int, _ step: UnsafePointer<RecordLayout.Step>
  ) throws(Failure) {
    let targets = unsafe step.pointee.targets
    let slot = unsafe record &+ Int(targets[0].slot)
    if unsafe step.pointee.isList { return try unsafe list(&cursor, record, step) }
    if unsafe step.pointee.leaf == .object, cursor.byte == Byte.openBrace {
      let below = try unsafe objectBelow(&cursor, step)
      for position in targets.indices {
        let target = unsafe targets[position]
        unsafe words[record &+ Int(target.slot)] = TapeWord(
          .object, flags: TapeWord.linkFlag, length: 0, offset: below &+ Int(target.offset))
      }
      return
    }
    let word = try unsafe leaf(&cursor, step, isNonNull: step.pointee.isNonNull)
    unsafe words[slot] = word
    if unsafe step.pointee.leaf == .scalar, word.kind != .null {
      unsafe unchecked.append((slot, Int(step.pointee.scalar)))
    }
    if targets.count > 1 {
      for position in targets.indices {
        let target = unsafe targets[position]
        unsafe words[record &+ Int(target.slot)] = word
      }
    }
  }

  private mutating func objectBelow(
    _ cursor: inout TextCursor, _ step: UnsafePointer<RecordLayout.Step>
  ) throws(Failure) -> Int {
    guard let choice = unsafe step.pointee.below else { throw .unusual }
    if let only = unsafe choice.pointee.only { return try unsafe object(&cursor, only) }
    let first = Self.space(cursor + 1)
    for position in unsafe choice.pointee.types.indices {
      let type = unsafe choice.pointee.types[position]
      if unsafe matches(type.member, type.length, first) {
        return try unsafe object(&cursor, type.layout)
      }
    }
    throw .unusual
  }

  /// Parses a value that is neither an object nor a list.
  @inline(__always)
  private mutating func leaf(
    _ cursor: inout TextCursor, _ step: UnsafePointer<RecordLayout.Step>, isNonNull: Bool
  ) throws(Failure) -> TapeWord {
    let leaf = unsafe step.pointee.leaf
    if cursor.byte == Byte.quote {
      switch leaf {
      case .string, .id, .scalar, .anything: return try string(&cursor)
      case .int, .float, .boolean, .object: throw .unusual
      }
    }
    return try rare(&cursor, leaf, isNonNull)
  }

  @inline(__always)
  private func string(_ cursor: inout TextCursor) throws(Failure) -> TapeWord {
    let start = cursor + 1
    var flags: UInt64 = 0
    cursor = TapeBuilder.endOfPlainRun(start)
    if cursor.byte != Byte.quote {
      let rest = TapeBuilder.rest(at: cursor, end: end)
      cursor = rest.end
      if rest.failure != nil { throw .unusual }
      flags = rest.flags
    }
    let word = TapeWord(.string, flags: flags, length: cursor - start, offset: start - base)
    cursor += 1
    return word
  }

  private func rare(
    _ cursor: inout TextCursor, _ leaf: RecordLayout.Leaf, _ isNonNull: Bool
  ) throws(Failure) -> TapeWord {
    let offset = cursor - base
    switch cursor.byte {
    case Byte.n:
      guard cursor.word & 0xFFFF_FFFF == 0x6C6C_756E, !isNonNull else { throw .unusual }
      cursor += 4
      return TapeWord(.null, length: 4, offset: offset)
    case Byte.t:
      guard cursor.word & 0xFFFF_FFFF == 0x6575_7274, leaf == .boolean || leaf == .anything else {
        throw .unusual
      }
      cursor += 4
      return TapeWord(.bool, length: 4, offset: offset)
    case Byte.f:
      guard cursor.word & 0xFF_FFFF_FFFF == 0x65_736C_6166, leaf == .boolean || leaf == .anything
      else { throw .unusual }
      cursor += 5
      return TapeWord(.bool, length: 5, offset: offset)
    default: return try number(&cursor, leaf)
    }
  }

  /// Parses a number without an exponent.
  private func number(
    _ cursor: inout TextCursor, _ leaf: RecordLayout.Leaf
  ) throws(Failure) -> TapeWord {
    let start = cursor
    var flags: UInt64 = 0
    if cursor.byte == Byte.minus { cursor += 1 }
    let isZero = cursor.byte == Byte.zero
    try digits(&cursor)
    if isZero, cursor - start > 1 + (start.byte == Byte.minus ? 1 : 0) { throw .unusual }
    if cursor.byte == Byte.period {
      flags = TapeWord.fractionFlag
      cursor += 1
      try digits(&cursor)
    }
    guard cursor.byte | 0x20 != Byte.e else { throw .unusual }
    let length = cursor - start
    let fits =
      switch leaf {
      case .int: flags == 0 && length <= 9
      case .id: flags == 0 && length <= 18
      case .float: length <= 300
      case .scalar, .anything: true
      case .string, .boolean, .object: false
      }
    guard fits else { throw .unusual }
    return TapeWord(.number, flags: flags, length: length, offset: start - base)
  }

  private func digits(_ cursor: inout TextCursor) throws(Failure) {
    guard Byte.isDigit(cursor.byte) else { throw .unusual }
    repeat { cursor += 1 } while Byte.isDigit(cursor.byte)
  }

  private mutating func list(
    _ cursor: inout TextCursor, _ record: Int, _ step: UnsafePointer<RecordLayout.Step>
  ) throws(Failure) {
    let start = cursor - base
    guard cursor.byte == Byte.openBracket else {
      let word = try unsafe rare(&cursor, .object, step.pointee.isNonNull)
      for position in unsafe step.pointee.targets.indices {
        let target = unsafe step.pointee.targets[position]
        unsafe words[record &+ Int(target.slot)] = word
      }
      return
    }
    if unsafe step.pointee.isNested { throw .unusual }
    let mark = elements.count
    cursor = Self.space(cursor + 1)
    if cursor.byte == Byte.closeBracket {
      cursor += 1
    } else {
      repeat {
        cursor = Self.space(cursor)
        if unsafe step.pointee.leaf == .object, cursor.byte == Byte.openBrace {
          let below = try unsafe objectBelow(&cursor, step)
          elements.append(
            TapeWord(.object, flags: TapeWord.linkFlag, length: 0, offset: below))
        } else {
          let word = try unsafe leaf(&cursor, step, isNonNull: step.pointee.isElementNonNull)
          elements.append(word)
        }
        cursor = Self.space(cursor)
        if cursor.byte == Byte.comma { continue }
        guard cursor.byte == Byte.closeBracket else { throw .unusual }
      } while Self.takesComma(&cursor)
    }
    let source = (start, cursor - base)
    if unsafe step.pointee.leaf == .object {
      for position in unsafe step.pointee.targets.indices {
        let target = unsafe step.pointee.targets[position]
        let block = try addBlock(mark, source, offset: Int(target.offset))
        unsafe words[record &+ Int(target.slot)] = TapeWord(
          .array, flags: TapeWord.linkFlag, length: elements.count &- mark, offset: block)
      }
    } else {
      let block = try addBlock(mark, source, offset: 0)
      if unsafe step.pointee.leaf == .scalar { unsafe noteScalars(block, step) }
      for position in unsafe step.pointee.targets.indices {
        let target = unsafe step.pointee.targets[position]
        unsafe words[record &+ Int(target.slot)] = TapeWord(
          .array, length: elements.count &- mark, offset: block)
      }
    }
    elements.removeSubrange(mark...)
  }

  /// Moves over a comma, or over the bracket at the end of a list.
  @inline(__always)
  private static func takesComma(_ cursor: inout TextCursor) -> Bool {
    let isComma = cursor.byte == Byte.comma
    cursor += 1
    return isComma
  }

  /// Adds a block with the elements from `mark` on.
  ///
  /// - Parameter offset: where the part begins that is read in their records.
  private mutating func addBlock(
    _ mark: Int, _ source: (start: Int, end: Int), offset: Int
  ) throws(Failure) -> Int {
    let count = elements.count &- mark
    let block = try reserve(2 &+ count)
    unsafe words[block] = TapeWord(.array, length: count, offset: source.start)
    unsafe words[block &+ 1] = TapeWord(tapeEnd: block &+ 2 &+ count, sourceEnd: source.end)
    for position in 0..<count {
      let word = elements[mark &+ position]
      unsafe words[block &+ 2 &+ position] =
        word.kind == .object ? TapeWord(bits: word.bits &+ UInt64(offset)) : word
    }
    return block
  }

  private mutating func noteScalars(_ block: Int, _ step: UnsafePointer<RecordLayout.Step>) {
    for position in unsafe 0..<words[block].length {
      let slot = block &+ 2 &+ position
      if unsafe words[slot].kind != .null {
        unsafe unchecked.append((slot, Int(step.pointee.scalar)))
      }
    }
  }
}
