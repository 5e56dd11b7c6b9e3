import GraphJSON

// Safe: the documents are alive during the calls, and all indexes are those of values on their tapes.
extension JSONDocument {
  /// Whether two values are the same JSON: arrays in order, objects in any order, numbers by their text, strings
  /// after their escapes are resolved. Whitespace does not count.
  ///
  /// Equal bytes are recognised first, and the first difference ends the comparison. An object that has a key twice is
  /// equal only to one with the same keys in the same order.
  func hasSameContent(
    at index: Int, as other: JSONDocument, at otherIndex: Int
  ) -> Bool {
    let (mine, theirs) = unsafe (memory, other.memory)
    var pending = [(index, otherIndex)]
    while let (left, right) = pending.popLast() {
      if unsafe mine.source(at: left).hasSameBytes(as: theirs.source(at: right)) { continue }
      guard unsafe mine.kind(at: left) == theirs.kind(at: right) else { return false }
      switch unsafe mine.kind(at: left) {
      case .null, .bool, .number: return false
      case .string:
        guard hasSameString(at: left, as: other, at: right) else { return false }
      case .array:
        guard unsafe mine.count(at: left) == theirs.count(at: right) else { return false }
        var (element, otherElement) = unsafe (
          mine.firstChild(of: left), theirs.firstChild(of: right)
        )
        while unsafe element < mine.end(of: left) {
          pending.append((element, otherElement))
          element = unsafe mine.next(after: element)
          otherElement = unsafe theirs.next(after: otherElement)
        }
      case .object:
        guard addMembers(of: left, other, right, to: &pending) else { return false }
      }
    }
    return true
  }

  /// Adds the pairs of values with the same key.
  ///
  /// - Returns: whether both objects have the same keys.
  private func addMembers(
    of object: Int, _ other: JSONDocument, _ otherObject: Int, to pairs: inout [(Int, Int)]
  ) -> Bool {
    guard count(at: object) == other.count(at: otherObject) else { return false }
    let first = pairs.count
    var (key, otherKey) = (firstChild(of: object), other.firstChild(of: otherObject))
    // Usually both have one order.
    while key < end(of: object) {
      guard hasSameString(at: key, as: other, at: otherKey) else {
        pairs.removeSubrange(first...)
        return addMembersInAnyOrder(of: object, other, otherObject, to: &pairs)
      }
      pairs.append((key + 1, otherKey + 1))
      (key, otherKey) = (next(after: key + 1), other.next(after: otherKey + 1))
    }
    return true
  }

  /// Both have the same number of members.
  private func addMembersInAnyOrder(
    of object: Int, _ other: JSONDocument, _ otherObject: Int, to pairs: inout [(Int, Int)]
  ) -> Bool {
    var found: Set<Int> = []
    var key = firstChild(of: object)
    while key < end(of: object) {
      guard let value = other.member(string(at: key), of: otherObject),
        found.insert(value).inserted
      else { return false }
      pairs.append((key + 1, value))
      key = next(after: key + 1)
    }
    return true
  }

  /// Whether two strings, or keys, are equal byte by byte after their escapes are resolved.
  private func hasSameString(at index: Int, as other: JSONDocument, at otherIndex: Int) -> Bool {
    let (mine, theirs) = unsafe (memory.source(at: index), other.memory.source(at: otherIndex))
    if unsafe mine.hasSameBytes(as: theirs) { return true }
    // Without an escape in one of them, they differ.
    guard unsafe mine.contains(UInt8(ascii: "\\")) || theirs.contains(UInt8(ascii: "\\")) else {
      return false
    }
    return string(at: index).utf8.elementsEqual(other.string(at: otherIndex).utf8)
  }

  /// Whether both have the same bytes and the same tape, so that equal indexes have equal contents.
  func isIdentical(to other: JSONDocument) -> Bool {
    guard tape.count == other.tape.count else { return false }
    return Self.haveSameBytes(padded, other.padded) && Self.haveSameBytes(tape, other.tape)
  }

  private static func haveSameBytes<Element: BitwiseCopyable>(
    _ left: [Element], _ right: [Element]
  ) -> Bool {
    unsafe left.withUnsafeBytes { mine in
      unsafe right.withUnsafeBytes { theirs in
        unsafe mine.withMemoryRebound(to: UInt8.self) { mine in
          unsafe theirs.withMemoryRebound(to: UInt8.self) { unsafe mine.hasSameBytes(as: $0) }
        }
      }
    }
  }

  /// Hashes a scalar by its value: those with ``hasSameContent(at:as:at:)`` have the same hash.
  func hashScalar(at index: Int, into hasher: inout Hasher) {
    switch kind(at: index) {
    case .null: hasher.combine(0)
    case .bool: hasher.combine(bool(at: index))
    case .number: hasher.combine(numberText(at: index))
    case .string: hasher.combine(string(at: index))
    case .array, .object: hasher.combine(count(at: index))
    }
  }

  /// Hashes an object by its number of members and its scalars, any other value by its kind and its scalar: values
  /// with ``hasSameContent(at:as:at:)`` have the same hash.
  func hashContent(at index: Int, into hasher: inout Hasher) {
    guard kind(at: index) == .object else { return hashScalar(at: index, into: &hasher) }
    // An addition does not depend on the order.
    var sum = count(at: index)
    var key = firstChild(of: index)
    while key < end(of: index) {
      var member = Hasher()
      hashScalar(at: key, into: &member)
      hashScalar(at: key + 1, into: &member)
      sum &+= member.finalize()
      key = next(after: key + 1)
    }
    hasher.combine(sum)
  }
}
