/// Parsed JSON text (RFC 8259): the original bytes and a flat tape with the position of each value.
/// Strings and numbers are decoded when they are read. Immutable.
///
/// Values are addressed by tape index, from ``rootIndex`` on. An index of one document is
/// meaningless in another. Using an index that is not a value's, or reading the contents of another
/// kind than ``kind(at:)`` returns, is a programming error. It stops the program if it is noticed,
/// and never reads outside the document.
///
/// When an object has a key twice, the last member wins in lookups and value trees. Iterating by
/// index returns all members.
///
/// ```swift
/// let document = try JSONDocument(parsing: bytes)
/// if let data = document.member("data", of: JSONDocument.rootIndex) {
///   print(document.kind(at: data))
/// }
/// ```
public final class JSONDocument: Sendable {
  /// The default limit for nesting arrays and objects.
  public static let defaultMaximumDepth = 512
  /// The largest depth limit; larger values are reduced to this one.
  ///
  /// Destroying a ``JSON`` tree uses stack for each of its levels, so the depth limit makes a tree
  /// safe on any thread.
  public static let largestMaximumDepth = 1024
  /// Text must be smaller than 512 MiB, so that every offset and length fits its field.
  public static let maximumByteCount = 1 << 29 - 1

  /// The index of the root value.
  @inlinable public static var rootIndex: Int { 0 }

  /// The text followed by ``TapeBuilder/padding`` zero bytes.
  @usableFromInline package let padded: [UInt8]
  @usableFromInline package let tape: [TapeWord]

  /// Parses the UTF-8 text `bytes`.
  ///
  /// An array that is not used afterwards and has eight bytes of spare capacity is not copied.
  public init(
    parsing bytes: consuming [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    var padded = bytes
    try JSONDocument.checkSize(padded.count)
    JSONDocument.pad(&padded)
    tape = try JSONDocument.parse(padded, maximumDepth: maximumDepth)
    self.padded = padded
  }

  /// Parses a copy of the UTF-8 text `bytes`.
  // Safe: the buffer has space for the text and the padding, and all of it is written.
  public init(
    parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    try JSONDocument.checkSize(bytes.count)
    let count = bytes.count + TapeBuilder.padding
    padded = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let copy = UnsafeMutableRawBufferPointer(buffer)
      unsafe copy.copyMemory(from: bytes)
      unsafe copy[bytes.count..<count].initializeMemory(as: UInt8.self, repeating: 0)
      initializedCount = count
    }
    tape = try JSONDocument.parse(padded, maximumDepth: maximumDepth)
  }

  /// Parses a copy of the UTF-8 text `bytes`.
  // Safe: the caller keeps the bytes valid during the call, which copies them.
  public convenience init(
    parsing bytes: UnsafeBufferPointer<UInt8>,
    maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    try unsafe self.init(parsing: UnsafeRawBufferPointer(bytes), maximumDepth: maximumDepth)
  }

  /// Parses `text`.
  public convenience init(
    parsing text: String, maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
  }

  /// Parses a text that ``pad(_:)`` has prepared; it is shared with the caller, not copied.
  package init(
    padded: [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    precondition(
      padded.count >= JSONDocument.padding
        && padded.suffix(JSONDocument.padding).allSatisfy { $0 == 0 },
      "init(padded:) requires a text with padding")
    try JSONDocument.checkSize(padded.count - JSONDocument.padding)
    tape = try JSONDocument.parse(padded, maximumDepth: maximumDepth)
    self.padded = padded
  }

  /// The words of a tape, or of GraphQLRuntime's records, over a text with padding.
  package init(words: [TapeWord], padded: [UInt8]) {
    self.padded = padded
    tape = words
  }

  /// The number of zero bytes that the parser requires after a text.
  package static var padding: Int { TapeBuilder.padding }

  /// Adds them. A text with a single owner and spare capacity is not copied.
  package static func pad(_ text: inout [UInt8]) {
    text.reserveCapacity(text.count + padding)
    for _ in 0..<padding { text.append(0) }
  }

  private static func checkSize(_ count: Int) throws(JSONError) {
    guard count > maximumByteCount else { return }
    throw JSONError(
      code: .tooLarge, offset: 0, position: .start,
      message: "the text has \(count) bytes; the maximum is \(maximumByteCount)")
  }

  // Safe: the array keeps its bytes valid during the call, eight zero bytes at their end; see
  // `TapeBuilder`.
  private static func parse(
    _ padded: [UInt8], maximumDepth: Int
  ) throws(JSONError) -> [TapeWord] {
    let maximumDepth = min(maximumDepth, largestMaximumDepth)
    var failed: JSONError?
    let tape = unsafe padded.withUnsafeBufferPointer { padded in
      let source = unsafe UnsafeBufferPointer(rebasing: padded.dropLast(TapeBuilder.padding))
      let bound = unsafe TapeBuilder.wordBound(source)
      return unsafe [TapeWord](unsafeUninitializedCapacity: bound) { words, initializedCount in
        var builder = unsafe TapeBuilder(source: source, tape: words, maximumDepth: maximumDepth)
        do throws(ParseFailure) {
          initializedCount = try builder.run()
        } catch {
          failed = unsafe JSONError(error, in: source, maximumDepth: maximumDepth)
        }
      }
    }
    if let failed { throw failed }
    return tape
  }

  /// The size of the text in bytes.
  public var byteCount: Int { padded.count - TapeBuilder.padding }

  /// The memory of the document in bytes: its text and its tape.
  public var memoryFootprint: Int {
    padded.count + tape.count * MemoryLayout<TapeWord>.stride
  }
}

extension JSONDocument {
  /// The bytes of the value, or key, at `index` exactly as they arrived, a string's with its
  /// quotes. The slice keeps the whole text alive.
  public func source(at index: Int) -> ArraySlice<UInt8> { padded[sourceRange(at: index)] }

  /// Calls `body` with the bytes of the value, or key, at `index` exactly as they arrived, a
  /// string's with its quotes. The pointer is valid only during the call.
  // Safe: the range is the value’s in the text, whose bytes are valid during the call.
  public func withSource<T, E: Error>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T
  ) throws(E) -> T {
    let range = sourceRange(at: index)
    return try unsafe padded.withUnsafeBufferPointer { padded throws(E) in
      try unsafe body(UnsafeBufferPointer(rebasing: padded[range]))
    }
  }

  /// The range of the value, or key, at `index` in the text, a string's with its quotes.
  public func sourceRange(at index: Int) -> Range<Int> {
    let word = tape[index]
    switch word.kind {
    case .null, .bool, .number: return word.offset..<word.offset + word.length
    case .string: return word.offset - 1..<word.offset + word.length + 1
    case .array, .object: return word.offset..<tape[index + 1].sourceEnd
    }
  }

  /// The line and column of the value, or key, at `index`. Reads the text up to that position.
  // Safe: the array keeps its bytes valid during the call, and the offset is one of its text.
  public func position(at index: Int) -> JSONPosition {
    unsafe padded.withUnsafeBufferPointer {
      unsafe JSONPosition(offset: sourceRange(at: index).lowerBound, in: $0)
    }
  }
}

extension JSONDocument {
  /// The kind of the value at `index`.
  @inlinable
  public func kind(at index: Int) -> JSONKind { tape[index].kind }

  /// Whether the value at `index` is `null`.
  @inlinable
  public func isNull(at index: Int) -> Bool { tape[index].kind == .null }

  /// The elements of the array, or the members of the object, at `index`.
  @inlinable
  public func count(at index: Int) -> Int {
    let word = tape[index]
    precondition(word.isContainer, "count(at:) requires an array or an object")
    return word.length
  }

  /// The first element of an array, or the first key of an object; ``end(of:)`` when empty.
  @inlinable
  public func firstChild(of index: Int) -> Int { index + 2 }

  /// The index after the last child of the array or object at `index`, where an iteration ends.
  @inlinable
  public func end(of index: Int) -> Int {
    precondition(tape[index].isContainer, "end(of:) requires an array or an object")
    return tape[index + 1].tapeEnd
  }

  /// The index after the whole value, or key, at `index`, in constant time.
  ///
  /// In an array, that is the next element; in an object, keys and values alternate:
  ///
  /// ```swift
  /// let document = try JSONDocument(parsing: bytes)
  /// let object = JSONDocument.rootIndex
  /// var key = document.firstChild(of: object)
  /// while key < document.end(of: object) {
  ///   let value = document.next(after: key)
  ///   key = document.next(after: value)
  /// }
  /// ```
  @inlinable
  public func next(after index: Int) -> Int {
    tape[index].isContainer ? tape[index + 1].tapeEnd : index + 1
  }

  /// The object in the value at `root` that begins at `offset` of the text; nil if there is none.
  package func object(atOffset offset: Int, in root: Int) -> Int? {
    var index = root
    while tape[index].isContainer {
      if tape[index].offset == offset { return index }
      let end = end(of: index)
      var child = firstChild(of: index)
      // The last child that begins before the offset or at it.
      while child < end, next(after: child) < end, tape[next(after: child)].offset <= offset {
        child = next(after: child)
      }
      guard child < end else { return nil }
      index = child
    }
    return nil
  }
}

// Safe: borrowed bytes are used only during the call; the parser has checked the positions of keys.
extension JSONDocument {
  /// The value of the member `name` of the object at `object`, nil if there is none. If several
  /// members have that key, the last one.
  ///
  /// The name is compared by its bytes after escapes are resolved, without Unicode normalisation.
  /// Takes time in proportion to the number of members.
  @inlinable
  public func member(_ name: StaticString, of object: Int) -> Int? {
    name.withUTF8Buffer { unsafe member($0, of: object) }
  }

  /// The value of the member `name` of the object at `object`; see the other form.
  ///
  /// Disfavoured so that a literal uses the form for `StaticString`, which creates no string.
  @inlinable @_disfavoredOverload
  public func member(_ name: some StringProtocol, of object: Int) -> Int? {
    if let found = name.utf8.withContiguousStorageIfAvailable({ unsafe member($0, of: object) }) {
      return found
    }
    return unsafe ContiguousArray(name.utf8).withUnsafeBufferPointer {
      unsafe member($0, of: object)
    }
  }

  /// The value of the member with the UTF-8 `name` of the object at `object`; see the other form.
  @inlinable
  public func member(_ name: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
    precondition(tape[object].kind == .object, "member(_:of:) requires an object")
    let end = tape[object + 1].tapeEnd
    // A key of another length differs in its word alone, which most keys do.
    let mask = ~(TapeWord.nonASCIIFlag | TapeWord(.null, length: 0, offset: 0x3FFF_FFFF).bits)
    let plain = TapeWord(.string, length: name.count, offset: 0).bits & mask
    var found: Int?
    var key = object + 2
    while key < end {
      let word = tape[key]
      if word.bits & mask == plain || word.hasEscapes, unsafe stringEquals(key, name) {
        found = key + 1
      }
      key = next(after: key + 1)
    }
    return found
  }

  /// Whether the string, or key, at `index` has exactly the UTF-8 bytes `bytes` after its escapes
  /// are resolved. False for a value that is not a string.
  @inlinable
  public func stringEquals(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = tape[index]
    guard word.kind == .string else { return false }
    if word.hasEscapes { return unsafe escapedStringEquals(word, bytes) }
    guard word.length == bytes.count else { return false }
    return unsafe padded.withUnsafeBufferPointer { padded in
      var index = 0
      while index < bytes.count {
        if unsafe padded[word.offset &+ index] != bytes[index] { return false }
        index &+= 1
      }
      return true
    }
  }

  /// The value of the member with the UTF-8 `name` of the object at `object`; see the other form.
  @inlinable
  package func member(_ name: [UInt8], of object: Int) -> Int? {
    unsafe name.withUnsafeBufferPointer { unsafe member($0, of: object) }
  }

  /// Whether the string, or key, at `index` has exactly the UTF-8 bytes `bytes`; see the other form.
  @inlinable
  package func stringEquals(_ index: Int, _ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe stringEquals(index, $0) }
  }

  /// The slow path: keys with escapes are rare.
  @usableFromInline
  func escapedStringEquals(_ word: TapeWord, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe withContents(of: word) { unsafe JSONDocument.escapedStringEquals($0, bytes) }
  }

  static func escapedStringEquals(
    _ contents: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // An escape takes two to six times the bytes of its character.
    guard bytes.count < contents.count, bytes.count * 6 >= contents.count else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: contents.count) {
      scratch in
      let count = unsafe Escape.decode(contents, into: scratch.baseAddress!)
      return unsafe count == bytes.count && scratch.prefix(count).elementsEqual(bytes)
    }
  }
}

// Safe: a word gives the position of its contents in the text, which the parser has checked.
extension JSONDocument {
  /// The string, or key, at `index`, with its escapes resolved.
  public func string(at index: Int) -> String {
    let word = tape[index]
    precondition(word.kind == .string, "string(at:) requires a string")
    return unsafe withContents(of: word) { unsafe JSONDocument.string($0, word) }
  }

  /// The string with the contents `contents`, whose tape word is `word`.
  // Safe: without its escapes a string is no longer than with them.
  @inline(__always)
  static func string(_ contents: UnsafeBufferPointer<UInt8>, _ word: TapeWord) -> String {
    guard word.hasEscapes else {
      return unsafe String(validUTF8: contents, isASCII: !word.hasNonASCII)
    }
    return unsafe String(unsafeUninitializedCapacity: contents.count) { output in
      unsafe Escape.decode(contents, into: output.baseAddress!)
    }
  }

  /// Whether the value at `index` is `true`.
  @inlinable
  public func bool(at index: Int) -> Bool {
    let word = tape[index]
    precondition(word.kind == .bool, "bool(at:) requires true or false")
    return word.length == 4
  }

  /// The text of the number at `index`.
  public func numberText(at index: Int) -> String {
    unsafe withNumber(at: index) { text, _ in unsafe String(validUTF8: text, isASCII: true) }
  }

  /// The number at `index`, nil if it is not an integer or does not fit 32 bits.
  ///
  /// The value counts, not the notation: `1.0`, `1e2` and `-0` are integers, exactly.
  public func int32(at index: Int) -> Int32? { int64(at: index).flatMap(Int32.init(exactly:)) }

  /// The number at `index`, nil if it is not an integer or does not fit 64 bits.
  ///
  /// The value counts, not the notation: `1.0`, `1e2` and `-0` are integers, exactly.
  public func int64(at index: Int) -> Int64? {
    unsafe withNumber(at: index) { text, word in
      unsafe word.hasFraction || word.length > 18
        ? NumberText(text).int64 : JSONDocument.plainInteger(text)
    }
  }

  /// The number at `index`, correctly rounded; nil if it is beyond the largest finite `Double`.
  public func double(at index: Int) -> Double? {
    unsafe withNumber(at: index) { text, _ in unsafe NumberText(text).double }
  }

  /// The value of a number with a sign and at most 18 digits, as nearly every integer is.
  // Safe: the index stays below the count, and a number’s text is not empty.
  private static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
    let isNegative = unsafe text[0] == Byte.minus
    var magnitude: Int64 = 0
    var index = isNegative ? 1 : 0
    while index < text.count {
      magnitude = unsafe magnitude &* 10 &+ Int64(text[index] &- Byte.zero)
      index += 1
    }
    return isNegative ? -magnitude : magnitude
  }

  private func withNumber<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>, TapeWord) -> T
  ) -> T {
    let word = tape[index]
    precondition(word.kind == .number, "the value is not a number")
    return unsafe withContents(of: word) { unsafe body($0, word) }
  }

  /// The bytes of a scalar, a string's without its quotes.
  func withContents<T>(of word: TapeWord, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    unsafe padded.withUnsafeBufferPointer {
      unsafe body(UnsafeBufferPointer(rebasing: $0[word.offset..<word.offset &+ word.length]))
    }
  }
}

extension String {
  /// Copies bytes that are known to be UTF-8, without checking them again if the platform allows
  /// it.
  // Safe: the parser has checked every byte of the source, and no token ends inside a sequence.
  @inlinable @inline(__always)
  package init(validUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      unsafe self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
    } else {
      unsafe self.init(decoding: bytes, as: UTF8.self)
    }
  }
}

/// Why bytes are not JSON, or why a value has no JSON form.
///
/// Line and column count from 1. A line ends with LF, CR or CR LF; a column is a Unicode scalar.
/// The message contains at most the one character at fault, so an error is safe to log. Errors
/// without a position in a text have the offset 0.
public struct JSONError: Error, Hashable, Sendable {
  /// The class of the error. The set is open: later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, for logs.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The text ends inside a value, or there is no value at all.
    public static let unexpectedEnd = Code("unexpectedEnd")
    /// A character that the grammar does not allow at its position.
    public static let unexpectedCharacter = Code("unexpectedCharacter")
    /// Bytes that are not UTF-8: overlong, truncated, surrogates or beyond U+10FFFF.
    public static let invalidUTF8 = Code("invalidUTF8")
    /// The text starts with a UTF-8 byte order mark, which RFC 8259 forbids to add.
    public static let byteOrderMark = Code("byteOrderMark")
    /// A raw control character in a string.
    public static let controlCharacter = Code("controlCharacter")
    /// A backslash that does not start an escape of RFC 8259, section 7.
    public static let invalidEscape = Code("invalidEscape")
    /// A `\u` escape that is one half of a surrogate pair without the other.
    public static let loneSurrogate = Code("loneSurrogate")
    /// A number outside the grammar of RFC 8259, section 6.
    public static let invalidNumber = Code("invalidNumber")
    /// Something other than whitespace after the value.
    public static let trailingContent = Code("trailingContent")
    /// Arrays and objects are nested deeper than the parser's limit.
    public static let tooDeep = Code("tooDeep")
    /// The text is larger than ``JSONDocument/maximumByteCount``.
    public static let tooLarge = Code("tooLarge")
    /// An infinity or NaN, which JSON cannot express.
    public static let nonFiniteNumber = Code("nonFiniteNumber")
  }

  /// The class of the error.
  public let code: Code
  /// The byte at fault, counted from 0.
  public let offset: Int
  /// The line of ``offset``, counted from 1.
  public let line: Int
  /// The column of ``offset``, counted from 1.
  public let column: Int
  /// A description of the error, as a phrase without a position.
  public let message: String

  init(code: Code, offset: Int, position: JSONPosition, message: String) {
    self.code = code
    self.offset = offset
    self.line = position.line
    self.column = position.column
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message, after the line and column if there is a position.
  public var description: String {
    code == .nonFiniteNumber || code == .tooLarge
      ? message : "line \(line), column \(column): \(message)"
  }
}

/// The error that the parser throws internally. It is trivial to throw, so it costs the hot loop
/// nothing. The message and position are created afterwards, once.
package struct ParseFailure: Error {
  package enum Reason {
    case expectedValue, expectedKey, expectedKeyOrEnd, expectedColon
    case expectedCommaOrBracket, expectedCommaOrBrace
    case unterminatedString, controlCharacter, invalidUTF8
    case invalidEscape, invalidUnicodeEscape, loneSurrogate
    case leadingZero, missingDigit
    case byteOrderMark, trailingContent, tooDeep
  }

  let reason: Reason
  let offset: Int
}

extension JSONError {
  /// The public form of a failure in `bytes`.
  // Safe: the excerpt is used only if the offset is in the text.
  init(_ failure: ParseFailure, in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    let offset = failure.offset
    let atEnd = offset >= bytes.count
    let found = unsafe atEnd ? "the end of the text" : JSONError.excerpt(of: bytes, at: offset)
    let expected: (String) -> (Code, String) = {
      (atEnd ? .unexpectedEnd : .unexpectedCharacter, "expected \($0), found \(found)")
    }
    let (code, message): (Code, String) =
      switch failure.reason {
      case .expectedValue: expected("a value")
      case .expectedKey: expected("a key in quotes")
      case .expectedKeyOrEnd: expected("a key in quotes or “}”")
      case .expectedColon: expected("“:” after the key")
      case .expectedCommaOrBracket: expected("“,” or “]”")
      case .expectedCommaOrBrace: expected("“,” or “}”")
      case .unterminatedString: (.unexpectedEnd, "the string is not closed")
      case .controlCharacter:
        (.controlCharacter, "control character \(found) in a string must be escaped")
      case .invalidUTF8: (.invalidUTF8, "\(found) is not valid UTF-8 here")
      case .invalidEscape:
        atEnd
          ? (.unexpectedEnd, "the string is not closed")
          : (.invalidEscape, "“\\” followed by \(found) is not an escape")
      case .invalidUnicodeEscape:
        (.invalidEscape, "“\\u” must be followed by four hexadecimal digits")
      case .loneSurrogate:
        (.loneSurrogate, "the escape is half of a surrogate pair without the other half")
      case .leadingZero: (.invalidNumber, "a number must not have leading zeros")
      case .missingDigit:
        (atEnd ? .unexpectedEnd : .invalidNumber, "expected a digit, found \(found)")
      case .byteOrderMark: (.byteOrderMark, "the text must not start with a byte order mark")
      case .trailingContent: (.trailingContent, "expected nothing after the value, found \(found)")
      case .tooDeep: (.tooDeep, "nested deeper than \(maximumDepth) levels")
      }
    unsafe self.init(
      code: code, offset: offset, position: JSONPosition(offset: offset, in: bytes),
      message: message)
  }

  /// The one character at `offset`: in quotes if it is printable ASCII, by number otherwise.
  // Safe: the caller’s offset is in the text, and the range ends with it.
  private static func excerpt(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    let byte = unsafe bytes[offset]
    if byte > 0x20, byte < 0x7F { return "“\(Character(Unicode.Scalar(byte)))”" }
    let rest = unsafe UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + 4, bytes.count)])
    var decoder = UTF8()
    var iterator = unsafe rest.makeIterator()
    guard case .scalarValue(let scalar) = unsafe decoder.decode(&iterator) else {
      return "byte 0x" + hexadecimal(UInt32(byte), digits: 2)
    }
    return "U+" + hexadecimal(scalar.value, digits: 4)
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// A position in JSON text for a human reader, both parts counted from 1.
///
/// A line ends with LF, CR or CR LF. A column is a Unicode scalar.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The Unicode scalar in the line, counted from 1.
  public let column: Int

  public var description: String { "\(line):\(column)" }

  static let start = JSONPosition(line: 1, column: 1)

  private init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at `offset` (at most `bytes.count`). Reads every byte before it,
  /// eight at a time if possible, since a tool may report many positions in one long line.
  // Safe: only bytes below `offset` are read, and words that end before it.
  init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var lineStart = 0
    var index = 0
    while index < offset {
      if index + 8 <= offset, unsafe !WordScan.hasLineEnd(WordScan.load(bytes.baseAddress! + index))
      {
        index += 8
        continue
      }
      let byte = unsafe bytes[index]
      index += 1
      let isCRBeforeLF =
        unsafe byte == Byte.carriageReturn && index < offset && bytes[index] == Byte.newline
      if byte == Byte.newline || byte == Byte.carriageReturn, !isCRBeforeLF {
        line += 1
        lineStart = index
      }
    }
    var column = 1
    index = lineStart
    while index < offset {
      if index + 8 <= offset {
        unsafe column += WordScan.scalarCount(WordScan.load(bytes.baseAddress! + index))
        index += 8
      } else {
        if unsafe bytes[index] & 0xC0 != 0x80 { column += 1 }
        index += 1
      }
    }
    self.init(line: line, column: column)
  }
}
