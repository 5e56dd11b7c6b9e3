/// Parses a response and checks it in one pass over the bytes, to records or to a tape.
///
/// It reads responses as servers usually send them: members in the order of the selection, none missing and
/// none unknown. For any other it stops, and the caller parses the text in general.
///
/// It recurses as deep as the selection.
// Safe: the cursor moves as that of `TapeBuilder`, and never over a zero byte; `reserve` ensures that the
// memory has space; layouts are alive during the call.
@safe package struct ResponseParser: ~Copyable {
  enum Failure: Error {
    /// The response has another form than the usual one.
    case unusual
    /// There are more words than expected.
    case overflow
  }

  /// The form of the result.
  package enum Form {
    /// Records with the slots of the layout.
    case records
    /// The tape of the value of `data`, as ``TapeBuilder`` writes it. It needs no slots.
    case tape
  }

  /// A response.
  package struct Result {
    /// The records, or the document whose root is the value of `data`.
    package let data: JSONDocument
    /// The object of the members of the response after `data`; nil if there are none.
    package let rest: JSONDocument?
    /// The slots, or indexes, of scalars that are not checked, and their numbers.
    package let unchecked: [(slot: Int, scalar: Int)]
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
  package static func parse(
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
      // Each value has a word.
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
