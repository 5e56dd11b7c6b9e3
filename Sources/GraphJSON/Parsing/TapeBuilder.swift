/// The parser: one pass over the bytes that checks the grammar of RFC 8259 and writes the tape.
///
/// It does not recurse. While an array or object is open, its second word contains the tape index
/// of the enclosing one, so the tape itself is the stack.
///
/// `base` has ``padding`` zero bytes after its `end`. No token continues over a zero byte, so a
/// cursor never passes `end`, and a word loaded at the cursor stays inside the padding.
// Safe: the cursor moves as described above, and the tape has space for ``wordBound(_:)`` words.
@safe struct TapeBuilder {
  /// Zero bytes that must follow the source: one word.
  static var padding: Int { 8 }

  let base: TextCursor
  let end: TextCursor
  private let tape: UnsafeMutablePointer<TapeWord>
  let maximumDepth: Int

  /// The next byte to read.
  var cursor: TextCursor
  /// The words written so far.
  var used = 0
  /// The innermost open array or object, -1 outside of all.
  var open = -1
  /// Whether `open` is an object.
  var isObject = false
  /// The values completed in `open`.
  var count = 0
  var depth = 0

  init(
    source: UnsafeBufferPointer<UInt8>, tape: UnsafeMutableBufferPointer<TapeWord>,
    maximumDepth: Int
  ) {
    base = unsafe TextCursor(source.baseAddress!)
    end = base + source.count
    unsafe self.tape = tape.baseAddress!
    self.maximumDepth = maximumDepth
    cursor = base
  }

  /// Parses the whole source. Returns the number of words written.
  ///
  /// All functions that it calls are inlined or static, so that the builder stays in registers. In
  /// memory, it took a sixth more time.
  @inline(__always)
  mutating func run() throws(ParseFailure) -> Int {
    if base.word & 0xFF_FFFF == 0xBF_BBEF { throw failure(.byteOrderMark) }
    skipWhitespace()
    while true {
      if isObject { try key() }
      if try startValue(), try finishValues() { return used }
    }
  }

  /// Reads a scalar, an empty array or object, or the start of a non-empty one, up to its first key
  /// or value. Returns whether a value is complete.
  @inline(__always)
  private mutating func startValue() throws(ParseFailure) -> Bool {
    let byte = cursor.byte
    if byte == Byte.quote {
      try string()
      return true
    }
    switch byte {
    case Byte.openBrace:
      try begin(.object)
      guard cursor.byte == Byte.closeBrace else { return false }
      close()
    case Byte.openBracket:
      try begin(.array)
      guard cursor.byte == Byte.closeBracket else { return false }
      close()
    case Byte.minus, Byte.zero...Byte.nine: try number()
    case Byte.t: try literal(0x6575_7274, length: 4, .bool)
    case Byte.f: try literal(0x65_736C_6166, length: 5, .bool)
    case Byte.n: try literal(0x6C6C_756E, length: 4, .null)
    default: throw failure(.expectedValue)
    }
    return true
  }

  /// Reads the text after a complete value, closing the arrays and objects that end here, up to the
  /// next key or value. Returns whether the text is complete.
  @inline(__always)
  private mutating func finishValues() throws(ParseFailure) -> Bool {
    while open >= 0 {
      count &+= 1
      skipWhitespace()
      let byte = cursor.byte
      if byte == Byte.comma {
        cursor += 1
        skipWhitespace()
        return false
      }
      guard byte == (isObject ? Byte.closeBrace : Byte.closeBracket) else {
        throw failure(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
      }
      close()
    }
    skipWhitespace()
    guard cursor == end else { throw failure(.trailingContent) }
    return true
  }

  /// Reads a key, its colon and the whitespace before its value.
  @inline(__always)
  private mutating func key() throws(ParseFailure) {
    guard cursor.byte == Byte.quote else {
      throw failure(count == 0 ? .expectedKeyOrEnd : .expectedKey)
    }
    try string()
    if cursor.byte != Byte.colon {
      skipWhitespace()
      guard cursor.byte == Byte.colon else { throw failure(.expectedColon) }
    }
    cursor += 1
    skipWhitespace()
  }

  /// Opens an array or object and skips to its first element.
  @inline(__always)
  private mutating func begin(_ kind: JSONKind) throws(ParseFailure) {
    guard depth < maximumDepth else { throw failure(.tooDeep) }
    depth &+= 1
    if open >= 0 {
      let outer = unsafe tape[open]
      unsafe tape[open] = TapeWord(outer.kind, length: count, offset: outer.offset)
    }
    unsafe tape[used] = TapeWord(kind, length: 0, offset: cursor - base)
    unsafe tape[used &+ 1] = TapeWord(bits: UInt64(bitPattern: Int64(open)))
    open = used
    isObject = kind == .object
    count = 0
    used &+= 2
    cursor += 1
    skipWhitespace()
  }

  /// Closes the innermost array or object at its closing bracket.
  @inline(__always)
  private mutating func close() {
    cursor += 1
    let closing = open
    open = unsafe Int(truncatingIfNeeded: Int64(bitPattern: tape[closing &+ 1].bits))
    unsafe tape[closing] = TapeWord(
      isObject ? .object : .array, length: count, offset: tape[closing].offset)
    unsafe tape[closing &+ 1] = TapeWord(tapeEnd: used, sourceEnd: cursor - base)
    depth &-= 1
    if open >= 0 {
      let outer = unsafe tape[open]
      isObject = outer.kind == .object
      count = outer.length
    }
  }

  @inline(__always)
  mutating func append(_ word: TapeWord) {
    unsafe tape[used] = word
    used &+= 1
  }

  func failure(_ reason: ParseFailure.Reason) -> ParseFailure {
    ParseFailure(reason: reason, offset: cursor - base)
  }
}

// Safe: blocks end before the count, and the rest of the text is the last one.
extension TapeBuilder {
  /// An upper bound of the words that `source` can need, valid JSON or not.
  ///
  /// Every word but the root's is written right after a byte of its own: a value after `,`, `:` or
  /// `[`, a key after `{` or `,`, and the second word of an array or object after its bracket. So
  /// the root's word, one per comma and colon and two per opening bracket are enough. Such bytes
  /// inside strings only increase the bound; memory that is never touched costs nothing.
  static func wordBound(_ source: UnsafeBufferPointer<UInt8>) -> Int {
    var bound = 1
    var index = 0
    while index &+ blockLength <= source.count {
      unsafe bound &+= blockBound(source.baseAddress! + index, blockLength)
      index &+= blockLength
    }
    return unsafe bound &+ blockBound(source.baseAddress! + index, source.count &- index)
  }

  /// A multiple of the vector's 16 bytes, small enough for the largest total to fit eight bits.
  private static var blockLength: Int { 112 }

  /// Counts in eight bits, so that the compiler turns the loop into vector instructions.
  @inline(__always)
  private static func blockBound(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var words: UInt8 = 0
    var index = 0
    while index < count {
      let byte = unsafe bytes[index]
      // `[` and `{` differ in one bit.
      words &+= byte | 0x20 == Byte.openBrace ? 2 : 0
      words &+= byte == Byte.comma ? 1 : 0
      words &+= byte == Byte.colon ? 1 : 0
      index &+= 1
    }
    return Int(words)
  }
}

extension TapeBuilder {
  /// Moves the cursor over spaces, tabs, line feeds and carriage returns.
  @inline(__always)
  mutating func skipWhitespace() {
    if cursor.byte <= Byte.space { cursor = TapeBuilder.endOfWhitespace(cursor) }
  }

  /// Out of line: most positions have no whitespace, the others have a line break and an
  /// indentation.
  @inline(never)
  static func endOfWhitespace(_ start: TextCursor) -> TextCursor {
    var cursor = start
    while true {
      switch cursor.byte {
      case Byte.space:
        cursor += 1
        while cursor.word == 0x2020_2020_2020_2020 { cursor += 8 }
      case Byte.newline, Byte.carriageReturn, Byte.tab:
        cursor += 1
      default:
        return cursor
      }
    }
  }
}

extension TapeBuilder {
  /// Reads `true`, `false` or `null`, given as a little-endian number.
  @inline(__always)
  mutating func literal(_ text: UInt64, length: Int, _ kind: JSONKind) throws(ParseFailure) {
    let mask: UInt64 = (1 &<< UInt64(length &* 8)) &- 1
    let difference = (cursor.word ^ text) & mask
    guard difference == 0 else {
      cursor += WordScan.firstByte(difference)
      throw failure(.expectedValue)
    }
    append(TapeWord(kind, length: length, offset: cursor - base))
    cursor += length
  }

  /// Reads a number (RFC 8259, section 6). Its text is not decoded yet.
  @inline(__always)
  mutating func number() throws(ParseFailure) {
    let start = cursor
    var flags: UInt64 = 0
    if cursor.byte == Byte.minus { cursor += 1 }
    if cursor.byte == Byte.zero {
      cursor += 1
      if Byte.isDigit(cursor.byte) { throw failure(.leadingZero) }
    } else {
      try digits()
    }
    if cursor.byte == Byte.period {
      flags = TapeWord.fractionFlag
      cursor += 1
      try digits()
    }
    if cursor.byte | 0x20 == Byte.e {
      flags = TapeWord.fractionFlag
      cursor += 1
      if cursor.byte == Byte.plus || cursor.byte == Byte.minus { cursor += 1 }
      try digits()
    }
    append(TapeWord(.number, flags: flags, length: cursor - start, offset: start - base))
  }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func digits() throws(ParseFailure) {
    guard Byte.isDigit(cursor.byte) else { throw failure(.missingDigit) }
    repeat { cursor += 1 } while Byte.isDigit(cursor.byte)
  }
}
