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
