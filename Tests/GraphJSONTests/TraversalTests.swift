import GraphJSON
import Testing

@Suite struct TraversalTests {
  @Test func reportsKindOfRoot() throws {
    let kinds: [(String, JSONKind)] = [
      ("null", .null), ("true", .bool), ("false", .bool), ("-1.5e3", .number), ("\"\"", .string),
      ("[]", .array), ("{}", .object),
    ]
    for (text, kind) in kinds {
      let document = try JSONDocument(parsing: text)
      #expect(document.kind(at: JSONDocument.rootIndex) == kind)
      #expect(document.isNull(at: JSONDocument.rootIndex) == (kind == .null))
    }
  }

  @Test func traversesArrayElements() throws {
    let document = try JSONDocument(parsing: " [1, [2, [3], {}], {\"a\": [4]}, \"x\"] ")
    let root = JSONDocument.rootIndex
    #expect(document.count(at: root) == 4)
    var sources: [String] = []
    var child = document.firstChild(of: root)
    while child < document.end(of: root) {
      sources.append(String(decoding: document.source(at: child), as: UTF8.self))
      child = document.next(after: child)
    }
    #expect(sources == ["1", "[2, [3], {}]", "{\"a\": [4]}", "\"x\""])
    #expect(document.next(after: root) == document.end(of: root))
  }

  @Test func traversesAlternatingKeysAndValues() throws {
    let document = try JSONDocument(parsing: "{\"a\":{\"b\":[]},\"c\\u0064\":null}")
    let root = JSONDocument.rootIndex
    #expect(document.count(at: root) == 2)
    var texts: [String] = []
    var child = document.firstChild(of: root)
    while child < document.end(of: root) {
      texts.append(document.string(at: child))
      child = document.next(after: child)
      texts.append(document.withSource(at: child) { String(decoding: $0, as: UTF8.self) })
      child = document.next(after: child)
    }
    #expect(texts == ["a", "{\"b\":[]}", "cd", "null"])
  }

  @Test(arguments: ["[]", "{}", " [ ] ", "\n{\t}\r\n"])
  func emptyContainersHaveNoChildren(text: String) throws {
    let document = try JSONDocument(parsing: text)
    let root = JSONDocument.rootIndex
    #expect(document.count(at: root) == 0)
    #expect(document.firstChild(of: root) == document.end(of: root))
  }

  @Test func countsElementsOfNestedContainers() throws {
    let document = try JSONDocument(parsing: "[0,[1,2,{\"a\":0,\"b\":[3]},4],5,{}]")
    let root = JSONDocument.rootIndex
    let inner = document.next(after: document.firstChild(of: root))
    let object = inner + 4
    #expect(document.count(at: root) == 4)
    #expect(document.count(at: inner) == 4)
    #expect(document.kind(at: object) == .object)
    #expect(document.count(at: object) == 2)
  }

  @Test func everyTapeIndexIsReadable() throws {
    let document = try JSONDocument(parsing: "[[],{\"a\":[1]}]")
    for index in 0..<document.end(of: JSONDocument.rootIndex) {
      _ = document.kind(at: index)
      #expect(document.next(after: index) > index)
    }
  }
}
