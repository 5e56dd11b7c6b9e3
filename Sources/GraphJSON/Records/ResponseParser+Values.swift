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

  /// Parses null, a Boolean value or a number. Not a method: a call would copy the parser.
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
