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
  @usableFromInline let padded: [UInt8]
  @usableFromInline let tape: [TapeWord]

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

  /// The words of a tape, or of records (see ``RecordWords``), over a text with padding.
  init(words: [TapeWord], padded: [UInt8]) {
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
