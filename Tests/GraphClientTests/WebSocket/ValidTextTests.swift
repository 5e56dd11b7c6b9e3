import Testing

@testable import GraphWebSocket

struct ValidTextTests {
  @Test(arguments: [
    "", "a", "Größe 👩‍👩‍👧 \u{FFFD}", "\u{FEFF}a\0b", String(repeating: "Ωa", count: 1000),
  ])
  func readsText(_ text: String) {
    #expect(String(validUTF8: Array(text.utf8)) == text)
    #expect(String(validUTF8: Array("..\(text)".utf8)[2...]) == text)
    // A collection without contiguous storage.
    #expect(String(validUTF8: text.utf8.lazy.map { $0 }) == text)
  }

  /// Among them are errors that are replaced by a character with the same number of bytes.
  @Test(
    arguments: [
      [0x80], [0x61, 0xFF], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0x61, 0xF0, 0x9F, 0x98, 0x62],
    ] as [[UInt8]])
  func rejectsErrors(_ bytes: [UInt8]) {
    #expect(String(validUTF8: bytes) == nil)
    #expect(String(validUTF8: bytes.lazy.map { $0 }) == nil)
  }
}
