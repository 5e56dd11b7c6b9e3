import GraphJSON
import GraphQLRuntime
import Testing

/// The memory of a document, as loops over a whole response read it.
@Suite struct TapeTests {
  private static let names = [
    "", "a", "id", "name", "title", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmnop",
    "abcdefghijklmnopq", "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyZ",
  ]

  @Test func keysMatchOnlyEqualNames() throws {
    for name in Self.names {
      let key = JSONKey(Array(name.utf8))
      defer { key.deallocate() }
      for other in Self.names {
        let document = try JSONDocument(parsing: "{\"\(other)\":1}")
        #expect(document.memory.matches(key, at: 2) == (name == other), "\(name) \(other)")
      }
      let value = try JSONDocument(parsing: "[\(name.isEmpty ? "1" : "12")]")
      #expect(!value.memory.matches(key, at: 2))
    }
  }

  @Test func findsUniqueMembersFromEveryStartIndex() throws {
    let document = try JSONDocument(
      parsing: #"{"id":1,"x":[{"title":2}],"na\u006de":3,"title":4,"longer name":6}"#)
    let tape = document.memory
    var hints = [2]
    while let last = hints.last, last < tape.end(of: 0) {
      hints.append(tape.next(after: last + 1))
    }
    #expect(hints.count == 6)
    for hint in hints {
      for (name, value) in [("id", 1), ("name", 3), ("title", 4), ("longer name", 6)]
        as [(StaticString, Int32)]
      {
        let index = try #require(tape.uniqueMember(name, of: 0, from: hint))
        #expect(document.int32(at: index) == value)
      }
      for name in ["", "i", "titles", "Title", "longer  name"] as [StaticString] {
        #expect(tape.uniqueMember(name, of: 0, from: hint) == nil)
      }
    }
    #expect(try JSONDocument(parsing: "{}").memory.uniqueMember("", of: 0, from: 2) == nil)
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "0.1", "-0.30", "4.5", "1.10", "123456789012345", "12345678901234.5",
    "-1234567890123.5", "9007199254740992", "0.00000000000001", "0.3333333333333",
  ])
  func readsPlainDoubles(_ text: String) throws {
    let value = try #require(try JSONDocument(parsing: text).memory.plainDouble(at: 0))
    #expect(value.bitPattern == Double(text)?.bitPattern)
  }

  @Test(arguments: ["9007199254740993", "1e5", "1.5E5", "2e-3", "12345678901234.567", "true", "[]"])
  func returnsNilForOtherDoubles(_ text: String) throws {
    #expect(try JSONDocument(parsing: text).memory.plainDouble(at: 0) == nil)
  }

  @Test(arguments: ["0", "7", "-1", "123456789", "-12345678", "1234567890", "1.0", "1e2", "true"])
  func readsOnlyPlainIntegers(_ text: String) throws {
    let document = try JSONDocument(parsing: text)
    let isPlain = text.utf8.count <= 9 && text != "true" && !text.contains { ".e".contains($0) }
    #expect(document.memory.plainInteger(at: 0) == (isPlain ? Int32(text) : nil))
  }

  @Test(arguments: [("1.5", true), ("12", true), ("1e5", false), ("1.5E5", false)])
  func recognizesPlainDecimals(_ text: String, _ isPlain: Bool) throws {
    #expect(try JSONDocument(parsing: text).memory.isPlainDecimal(at: 0) == isPlain)
  }
}
