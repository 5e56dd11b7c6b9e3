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
