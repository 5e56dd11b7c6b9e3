/// The parser: one pass over the bytes that checks the grammar of RFC 8259 and writes the tape.
///
/// It does not recurse. While an array or object is open, its second word contains the tape index
/// of the enclosing one, so the tape itself is the stack.
///
/// `base` has ``padding`` zero bytes after its `end`. No token continues over a zero byte, so a
/// cursor never passes `end`, and a word loaded at the cursor stays inside the padding.
// Safe: the cursor moves as described above, and the tape has space for ``wordBound(_:)`` words.
@usableFromInline
@safe package struct TapeBuilder {
  /// Zero bytes that must follow the source: one word.
  package static var padding: Int { 8 }

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
  package static func endOfWhitespace(_ start: TextCursor) -> TextCursor {
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

extension TapeBuilder {
  /// Reads a string from its opening quote (RFC 8259, section 7), eight bytes at a time.
  @inline(__always)
  mutating func string() throws(ParseFailure) {
    let start = cursor + 1
    var flags: UInt64 = 0
    cursor = TapeBuilder.endOfPlainRun(start)
    if cursor.byte != Byte.quote {
      let rest = TapeBuilder.rest(at: cursor, end: end)
      cursor = rest.end
      if let reason = rest.failure { throw failure(reason) }
      flags = rest.flags
    }
    append(TapeWord(.string, flags: flags, length: cursor - start, offset: start - base))
    cursor += 1
  }

  /// The next byte in a string that is not plain ASCII. Most strings are shorter than a word.
  @inlinable @inline(__always)
  package static func endOfPlainRun(_ start: TextCursor) -> TextCursor {
    var hits = WordScan.stringHits(start.word)
    if hits != 0 { return start + WordScan.firstByte(hits) }
    var cursor = start
    repeat {
      cursor += 8
      hits = WordScan.stringHits(cursor.word)
    } while hits == 0
    return cursor + WordScan.firstByte(hits)
  }

  /// The rest of a string from a byte on that is not plain ASCII. A value of a static function, so
  /// that ``string()`` keeps the builder in registers.
  package struct Rest {
    /// The closing quote, or the byte at fault.
    package var end: TextCursor
    package var flags: UInt64 = 0
    package var failure: ParseFailure.Reason?
  }

  @inline(never)
  package static func rest(at start: TextCursor, end: TextCursor) -> Rest {
    var rest = Rest(end: start)
    while rest.end.byte != Byte.quote {
      let special = special(at: rest.end, end: end)
      rest.end = special.end
      rest.failure = special.failure
      if rest.failure != nil { break }
      rest.flags |= special.flag
      rest.end = endOfPlainRun(special.end)
    }
    return rest
  }

  /// The parts of a string other than plain ASCII.
  private struct Special {
    /// The byte after it, or the byte at fault.
    let end: TextCursor
    let flag: UInt64
    let failure: ParseFailure.Reason?

    init(end: TextCursor, flag: UInt64) {
      self.end = end
      self.flag = flag
      failure = nil
    }

    init(at end: TextCursor, failure: ParseFailure.Reason) {
      self.end = end
      flag = 0
      self.failure = failure
    }
  }

  private static func special(at start: TextCursor, end: TextCursor) -> Special {
    let byte = start.byte
    if byte >= 0x80 {
      var cursor = start
      repeat {
        let length = UTF8Sequence.length(at: cursor)
        guard length > 0 else { return Special(at: cursor, failure: .invalidUTF8) }
        cursor += length
      } while cursor.byte >= 0x80
      return Special(end: cursor, flag: TapeWord.nonASCIIFlag)
    }
    if byte == Byte.backslash { return escape(at: start) }
    return Special(at: start, failure: start == end ? .unterminatedString : .controlCharacter)
  }

  private static func escape(at start: TextCursor) -> Special {
    switch (start + 1).byte {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.b, Byte.f, Byte.n, Byte.r, Byte.t:
      return Special(end: start + 2, flag: TapeWord.escapeFlag)
    case Byte.u:
      guard let unit = Escape.codeUnit(at: start) else {
        return Special(at: start, failure: .invalidUnicodeEscape)
      }
      guard unit & 0xF800 == 0xD800 else {
        return Special(end: start + 6, flag: TapeWord.escapeFlag)
      }
      guard unit < 0xDC00, let low = Escape.codeUnit(at: start + 6), low & 0xFC00 == 0xDC00 else {
        return Special(at: start, failure: .loneSurrogate)
      }
      return Special(end: start + 12, flag: TapeWord.escapeFlag)
    default:
      return Special(at: start + 1, failure: .invalidEscape)
    }
  }
}

/// Escapes in strings (RFC 8259, section 7).
enum Escape {
  /// The UTF-16 code unit of the `\uXXXX` at `place`, nil if there is something else. Reads no byte
  /// after the first one that does not fit.
  static func codeUnit(at place: TextCursor) -> UInt32? {
    guard place.byte == Byte.backslash, (place + 1).byte == Byte.u else { return nil }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = Byte.hexValue((place + index).byte) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// Writes the contents of a string that the parser accepted, without escapes, to `output`.
  ///
  /// An escape is never shorter than its character in UTF-8 (`\u20AC` is six bytes, `€` three), so
  /// `output` needs no more space than `source`. Returns the number of bytes written.
  // Safe: the parser accepted the escapes, so none is truncated; `output` has space for all of
  // `source`.
  static func decode(
    _ source: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard var input = source.baseAddress else { return 0 }
    let end = unsafe input + source.count
    var out = unsafe output
    while unsafe input < end {
      let byte = unsafe input.pointee
      if byte != Byte.backslash {
        unsafe out.pointee = byte
        unsafe input += 1
        unsafe out += 1
      } else if let unit = unsafe codeUnit(at: TextCursor(input)) {
        unsafe input += 6
        var scalar = unit
        if unit & 0xFC00 == 0xD800, let low = unsafe codeUnit(at: TextCursor(input)) {
          unsafe input += 6
          scalar = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
        }
        unsafe out = encode(scalar, into: out)
      } else {
        unsafe out.pointee = simple(input[1])
        unsafe input += 2
        unsafe out += 1
      }
    }
    return unsafe out - output
  }

  /// The character of a two-byte escape, by its second byte.
  private static func simple(_ letter: UInt8) -> UInt8 {
    switch letter {
    case Byte.b: Byte.backspace
    case Byte.f: Byte.formFeed
    case Byte.n: Byte.newline
    case Byte.r: Byte.carriageReturn
    case Byte.t: Byte.tab
    default: letter
    }
  }

  // Safe: an escape leaves space for its character, at most four bytes.
  private static func encode(
    _ scalar: UInt32, into output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(scalar >> shift & 0x3F) | 0x80 }
    switch scalar {
    case ..<0x80:
      unsafe output[0] = UInt8(scalar)
      return unsafe output + 1
    case ..<0x800:
      unsafe output[0] = UInt8(scalar >> 6) | 0xC0
      unsafe output[1] = tail(0)
      return unsafe output + 2
    case ..<0x10000:
      unsafe output[0] = UInt8(scalar >> 12) | 0xE0
      unsafe output[1] = tail(6)
      unsafe output[2] = tail(0)
      return unsafe output + 3
    default:
      unsafe output[0] = UInt8(scalar >> 18) | 0xF0
      unsafe output[1] = tail(12)
      unsafe output[2] = tail(6)
      unsafe output[3] = tail(0)
      return unsafe output + 4
    }
  }
}

/// Well-formed multi-byte sequences of UTF-8 (RFC 3629, section 4).
enum UTF8Sequence {
  /// The length of the sequence that starts at `place` with a byte of 0x80 or more, 0 if it is
  /// ill-formed: overlong, a surrogate, beyond U+10FFFF, or truncated by a byte that is not a
  /// continuation. Reads no byte after the first one that does not fit.
  @inline(__always)
  static func length(at place: TextCursor) -> Int {
    let lead = place.byte
    if lead < 0xE0 {
      return lead >= 0xC2 && isContinuation((place + 1).byte) ? 2 : 0
    }
    let second = (place + 1).byte
    if lead < 0xF0 {
      let lowest: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
      let highest: UInt8 = lead == 0xED ? 0x9F : 0xBF
      guard second >= lowest, second <= highest, isContinuation((place + 2).byte) else { return 0 }
      return 3
    }
    let lowest: UInt8 = lead == 0xF0 ? 0x90 : 0x80
    let highest: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
    guard lead <= 0xF4, second >= lowest, second <= highest, isContinuation((place + 2).byte),
      isContinuation((place + 3).byte)
    else { return 0 }
    return 4
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

/// One entry of the tape.
///
/// Scalars and keys take one word, arrays and objects two; their contents follow.
///
/// | bits | null, bool, number, string | array, object |
/// |---|---|---|
/// | 61 to 63 | kind | kind |
/// | 60 | string: has escapes; number: has a fraction or an exponent | |
/// | 59 | string: has non-ASCII characters | |
/// | 30 to 58 | length in bytes, a string's without its quotes | count of elements or members |
/// | 0 to 29 | offset in the source, a string's after its quote | offset of the bracket |
///
/// The second word of an array or object contains the tape index after its contents (high half) and
/// the source offset after its closing bracket (low half).
///
/// No field can overflow: a source has less than 2^29 bytes, so offsets, lengths and counts fit. A
/// tape has no more words than its source has bytes (the densest text, `[[]]`, creates two words
/// from two bytes). So the top bits of a second word are zero and it reads as the kind null: every
/// index inside the tape is safe to use.
@usableFromInline
package struct TapeWord: BitwiseCopyable, Sendable {
  @usableFromInline package let bits: UInt64

  @inlinable @inline(__always)
  package init(bits: UInt64) { self.bits = bits }

  @inlinable @inline(__always)
  package init(_ kind: JSONKind, flags: UInt64 = 0, length: Int, offset: Int) {
    bits =
      UInt64(truncatingIfNeeded: kind.rawValue) &<< 61 | flags
      | UInt64(truncatingIfNeeded: length) &<< 30 | UInt64(truncatingIfNeeded: offset)
  }

  /// The second word of an array or object.
  @inlinable @inline(__always)
  package init(tapeEnd: Int, sourceEnd: Int) {
    bits = UInt64(truncatingIfNeeded: tapeEnd) &<< 32 | UInt64(truncatingIfNeeded: sourceEnd)
  }

  /// All parts but the offset: for a string of plain ASCII the length, after removing the kind.
  @inlinable package var signature: UInt64 {
    @inline(__always) get { bits &>> 30 }
  }

  /// The ``signature`` of a string of plain ASCII with that many bytes.
  @inlinable @inline(__always)
  package static func signature(ofString length: Int) -> UInt64 {
    UInt64(JSONKind.string.rawValue) &<< 31 &+ UInt64(truncatingIfNeeded: length)
  }

  /// Whether the value is a string without escapes.
  @inlinable package var isUnescapedString: Bool {
    @inline(__always) get { bits &>> 60 == UInt64(JSONKind.string.rawValue) &<< 1 }
  }

  @inlinable package static var escapeFlag: UInt64 { 1 &<< 60 }
  @inlinable package static var nonASCIIFlag: UInt64 { 1 &<< 59 }
  /// The same bit as ``escapeFlag``, on a number.
  @inlinable package static var fractionFlag: UInt64 { 1 &<< 60 }

  // Safe: the bits are those of a kind, or, in a second word, zero.
  @inlinable package var kind: JSONKind {
    @inline(__always)
    get { unsafe JSONKind(rawValue: UInt8(truncatingIfNeeded: bits &>> 61)).unsafelyUnwrapped }
  }
  @inlinable package var isContainer: Bool {
    @inline(__always) get { bits &>> 61 >= UInt64(JSONKind.array.rawValue) }
  }
  @inlinable package var hasEscapes: Bool {
    @inline(__always) get { bits & TapeWord.escapeFlag != 0 }
  }
  @inlinable package var hasNonASCII: Bool {
    @inline(__always) get { bits & TapeWord.nonASCIIFlag != 0 }
  }
  @inlinable package var hasFraction: Bool {
    @inline(__always) get { bits & TapeWord.fractionFlag != 0 }
  }
  @inlinable package var length: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits &>> 30 & 0x1FFF_FFFF) }
  }
  @inlinable package var offset: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits & 0x3FFF_FFFF) }
  }
  /// For a second word: the tape index after the contents.
  @inlinable package var tapeEnd: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits &>> 32) }
  }
  /// For a second word: the source offset after the closing bracket.
  @inlinable package var sourceEnd: Int {
    @inline(__always) get { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
  }
}

/// The kind of a JSON value (RFC 8259, section 3).
public enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}
