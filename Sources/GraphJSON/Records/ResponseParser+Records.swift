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
