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
        return unsafe WordScan.isEqual(mine, theirs, count)
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
