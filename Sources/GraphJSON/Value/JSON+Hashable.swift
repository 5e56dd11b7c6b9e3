/// Equality is that of the JSON values: arrays in order, objects in any order, numbers by their text
/// (see ``JSON/Number``), strings as Swift compares strings.
extension JSON: Hashable {
  public static func == (left: JSON, right: JSON) -> Bool { areEqual([(left, right)]) }

  /// Whether both are equal, and their strings have the same bytes: Swift's own `==` ignores Unicode's normal forms.
  package func hasSameBytes(as other: JSON) -> Bool {
    Self.areEqual([(self, other)]) { $0.hasSameBytes(as: $1) }
  }

  /// Compares pairs without recursion: the children of equal containers become pairs in turn.
  fileprivate static func areEqual(
    _ pairs: [(JSON, JSON)], strings areEqual: (String, String) -> Bool = { $0 == $1 }
  ) -> Bool {
    var pending = pairs
    while let pair = pending.popLast() {
      switch pair {
      case (.null, .null): break
      case (.bool(let left), .bool(let right)): if left != right { return false }
      case (.number(let left), .number(let right)): if left != right { return false }
      case (.string(let left), .string(let right)): if !areEqual(left, right) { return false }
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        pending.append(contentsOf: zip(left, right))
      case (.object(let left), .object(let right)):
        guard let members = left.paired(with: right) else { return false }
        pending.append(contentsOf: members)
      default: return false
      }
    }
    return true
  }

  /// Hashes scalars completely, arrays and objects by their size and their direct scalars: enough
  /// to distinguish values, without recursion.
  public func hash(into hasher: inout Hasher) {
    hashShallowly(into: &hasher)
    switch self {
    case .array(let elements):
      for element in elements { element.hashShallowly(into: &hasher) }
    case .object(let object): object.hash(into: &hasher)
    case .null, .bool, .number, .string: break
    }
  }

  /// Hashes everything but what is inside an array or object.
  fileprivate func hashShallowly(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combine(string)
    case .array(let elements): hasher.combine(elements.count)
    case .object(let object): hasher.combine(object.count)
    }
  }
}

extension JSON.Object: Hashable {
  public static func == (left: JSON.Object, right: JSON.Object) -> Bool {
    left.paired(with: right).map { JSON.areEqual($0) } ?? false
  }

  public func hash(into hasher: inout Hasher) {
    // An addition does not depend on the order.
    var sum = 0
    for member in members {
      var hasher = Hasher()
      hasher.combine(ExactKey(member.key))
      member.value.hashShallowly(into: &hasher)
      sum &+= hasher.finalize()
    }
    hasher.combine(sum)
  }

  /// The values of the same keys, nil if the keys differ.
  fileprivate func paired(with other: JSON.Object) -> [(JSON, JSON)]? {
    guard count == other.count else { return nil }
    var pairs: [(JSON, JSON)] = []
    pairs.reserveCapacity(count)
    for member in members {
      guard let value = other[member.key] else { return nil }
      pairs.append((member.value, value))
    }
    return pairs
  }
}

/// A key compared by its code units, as RFC 8259, section 8.3 advises. Swift's own `==` would treat
/// two keys that differ in Unicode normalisation as equal, and lose a member.
package struct ExactKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactKey, right: ExactKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension ExactKey: Comparable {
  /// The order of SQLite.
  package static func < (left: ExactKey, right: ExactKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

// Safe: the strings keep their bytes valid during the calls, which read as many as there are.
extension String {
  /// Whether both have the same UTF-8 bytes. Swift's own `==` ignores Unicode's normal forms.
  package func hasSameBytes(as other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { mine in
      unsafe other.utf8.withContiguousStorageIfAvailable { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
        return unsafe JSONKey.isEqual(mine, theirs, count)
      }
    }
    if case .some(.some(let isSame)) = isSame { return isSame }
    return utf8.elementsEqual(other.utf8)
  }

  /// Hashes the UTF-8 bytes, with an end that no text contains.
  package func hashBytes(into hasher: inout Hasher) {
    let isDone: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}
