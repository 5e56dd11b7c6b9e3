/// A key compared by its code units, as RFC 8259, section 8.3 advises. Swift's own `==` would treat
/// two keys that differ in Unicode normalisation as equal, and lose a member.
struct ExactKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactKey, right: ExactKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}
