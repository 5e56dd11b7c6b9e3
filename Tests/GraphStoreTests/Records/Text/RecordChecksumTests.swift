import Testing

@testable import GraphStore

@Suite struct RecordChecksumTests {
  private func sum(_ bytes: [UInt8], type: Int64 = 2) -> Int64 {
    bytes.withUnsafeBytes { RecordChecksum.of($0, type: type) }
  }

  private let text = Array(
    #"{"__typename":"Person","id":"gid://sample/Person/1","name":"Person number 1","age":7}"#.utf8)

  /// The checksums are in files, so they must not change.
  @Test func matchesTheChecksumsOfExistingFiles() {
    #expect(sum([]) == -6_717_775_319_808_565_401)
    #expect(sum(text) == 806_890_068_262_786_811)
  }

  @Test func detectsEveryFlippedBit() {
    let expected = sum(text)
    for position in text.indices {
      for bit in 0..<8 {
        var damaged = text
        damaged[position] ^= 1 << UInt8(bit)
        #expect(sum(damaged) != expected)
      }
    }
  }

  @Test func dependsOnTheType() {
    #expect(Set((0..<1000).map { sum(text, type: $0) }).count == 1000)
  }

  @Test func detectsTruncatedAndAppendedBytes() {
    var seen: Set<Int64> = []
    for count in 0...text.count { seen.insert(sum(Array(text.prefix(count)))) }
    for count in 1...64 { seen.insert(sum(text + Array(repeating: 0, count: count))) }
    #expect(seen.count == text.count + 65)
  }
}
