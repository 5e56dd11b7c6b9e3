import GraphJSON
import Testing

@Suite struct MemberTests {
  private let root = JSONDocument.rootIndex

  @Test func lastRepeatedKeyWins() throws {
    let document = try JSONDocument(parsing: "{\"a\":1,\"b\":2,\"a\":[3],\"\\u0061\":4}")
    #expect(document.count(at: root) == 4)
    #expect(document.member("a", of: root).flatMap(document.int64) == 4)
    #expect(document.root["a"]?.int == 4)
    #expect(document.json(at: root) == ["a": 4, "b": 2])
    #expect(document.root.members?.map(\.key) == ["a", "b"])
    #expect(document.root.members?.first?.value.int == 4)
  }

  @Test func findsKeysWithEscapesAndNonASCIICharacters() throws {
    let document = try JSONDocument(
      parsing: #"{"\u00e9":1,"naïve":2,"a\/b":3,"\ud83d\ude00":4,"tab\t":5,"":6,"😀😀":7,"\\":8}"#)
    let keys = ["é", "naïve", "a/b", "😀", "tab\t", "", "😀😀", "\\"]
    for (place, key) in keys.enumerated() {
      #expect(document.member(key, of: root).flatMap(document.int32) == Int32(place + 1))
    }
    #expect(document.member("é" as StaticString, of: root) != nil)
    #expect(document.member("😀" as StaticString, of: root) != nil)
    #expect(document.member("a/b"[...], of: root) != nil)
  }

  @Test func keysAreComparedByBytes() throws {
    // Precomposed in the text and decomposed in the lookup: the bytes differ, so the keys differ.
    let document = try JSONDocument(parsing: "{\"\u{E9}\":1,\"id\":2}")
    #expect(document.member("e\u{301}", of: root) == nil)
    #expect(document.member("i", of: root) == nil)
    #expect(document.member("id ", of: root) == nil)
    #expect(document.member("Id", of: root) == nil)
  }

  @Test func keysInsideNestedObjectsAreNotFound() throws {
    let document = try JSONDocument(parsing: "{\"a\":{\"b\":1},\"c\":[{\"d\":2}]}")
    #expect(document.member("b", of: root) == nil)
    #expect(document.member("d", of: root) == nil)
    #expect(document.member("c", of: root) != nil)
  }

  @Test func stringEqualsIsFalseForOtherKinds() throws {
    let document = try JSONDocument(parsing: "[\"1\",1,\"\\u0031\",\"\\u00311\"]")
    let first = document.firstChild(of: root)
    let responses = Array("1".utf8).withUnsafeBufferPointer { one in
      (0..<4).map { document.stringEquals(first + $0, one) }
    }
    #expect(responses == [true, false, true, false])
  }
}
