/// The parser: one pass over the bytes that checks the grammar of RFC 8259 and writes the tape.
///
/// It does not recurse. While an array or object is open its second word holds the tape index of
/// the one around it, so the tape itself is the stack.
///
// Safe: no token goes on over a zero byte, which ends the text; the tape has ``wordBound(_:)`` words.
@safe struct TapeBuilder {
  /// Zero bytes that must follow the source: one word, so that one can be loaded at every position.
  static var padding: Int { 8 }

  let base: UnsafePointer<UInt8>
  /// The number of bytes before the padding.
  let end: Int
  private let tape: UnsafeMutablePointer<TapeWord>
  let maximumDepth: Int

  /// The next byte to read.
  var position = 0
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
    unsafe base = source.baseAddress!
    end = source.count
    unsafe self.tape = tape.baseAddress!
    self.maximumDepth = maximumDepth
  }

  /// The byte at the position.
  @inline(__always)
  var byte: UInt8 { unsafe base[position] }

  /// The eight bytes at the position, the first one lowest.
  @inline(__always)
  var word: UInt64 { unsafe WordScan.load(base + position) }

  /// Parses the whole source. Returns the number of words written.
  mutating func run() throws(ParseFailure) -> Int {
    if word & 0xFF_FFFF == 0xBF_BBEF { throw failure(.byteOrderMark) }
    skipWhitespace()
    while true {
      if try startValue(), try finishValues() { return used }
    }
  }

  /// Reads a scalar, an empty array or object, or the beginning of one that has contents, up to
  /// the first byte of the next value. Returns whether a value is complete.
  @inline(__always)
  private mutating func startValue() throws(ParseFailure) -> Bool {
    let first = byte
    if first == Byte.quote {
      try string()
      return true
    }
    switch first {
    case Byte.openBrace:
      try begin(.object)
      if byte == Byte.closeBrace {
        close()
        return true
      }
      try key(.expectedKeyOrEnd)
      return false
    case Byte.openBracket:
      try begin(.array)
      if byte == Byte.closeBracket {
        close()
        return true
      }
      return false
    case Byte.minus, Byte.zero...Byte.nine: try number()
    case Byte.t: try literal(0x6575_7274, length: 4, .bool)
    case Byte.f: try literal(0x65_736C_6166, length: 5, .bool)
    case Byte.n: try literal(0x6C6C_756E, length: 4, .null)
    default: throw failure(.expectedValue)
    }
    return true
  }

  /// Reads what follows a complete value, closing as many arrays and objects as end here, up to
  /// the first byte of the next value. Returns whether the text is complete.
  @inline(__always)
  private mutating func finishValues() throws(ParseFailure) -> Bool {
    while open >= 0 {
      count &+= 1
      skipWhitespace()
      let next = byte
      if next == Byte.comma {
        position &+= 1
        skipWhitespace()
        if isObject { try key(.expectedKey) }
        return false
      }
      guard next == (isObject ? Byte.closeBrace : Byte.closeBracket) else {
        throw failure(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
      }
      close()
    }
    skipWhitespace()
    guard position == end else { throw failure(.trailingContent) }
    return true
  }

  /// Reads a key, its colon and the whitespace before its value.
  @inline(__always)
  private mutating func key(_ reason: ParseFailure.Reason) throws(ParseFailure) {
    guard byte == Byte.quote else { throw failure(reason) }
    try string()
    if byte != Byte.colon {
      skipWhitespace()
      guard byte == Byte.colon else { throw failure(.expectedColon) }
    }
    position &+= 1
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
    unsafe tape[used] = TapeWord(kind, length: 0, offset: position)
    unsafe tape[used &+ 1] = TapeWord(bits: UInt64(bitPattern: Int64(open)))
    open = used
    isObject = kind == .object
    count = 0
    used &+= 2
    position &+= 1
    skipWhitespace()
  }

  /// Closes the innermost array or object at its closing bracket.
  @inline(__always)
  private mutating func close() {
    position &+= 1
    let closing = open
    open = unsafe Int(truncatingIfNeeded: Int64(bitPattern: tape[closing &+ 1].bits))
    unsafe tape[closing] = TapeWord(
      isObject ? .object : .array, length: count, offset: tape[closing].offset)
    unsafe tape[closing &+ 1] = TapeWord(tapeEnd: used, sourceEnd: position)
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
    ParseFailure(reason: reason, offset: position)
  }
}
