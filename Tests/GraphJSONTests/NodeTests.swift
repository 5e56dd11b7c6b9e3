import GraphJSON
import Testing

@Suite struct NodeTests {
  @Test func navigatesNestedNodes() throws {
    let root = try JSONDocument(
      parsing: #"{"s":"x","i":1e3,"f":1.5,"t":true,"n":null,"a":[1,[2],{"b":3}],"big":1e30}"#
    ).root
    #expect(root.kind == .object)
    #expect(root["s"]?.string == "x")
    #expect(root["i"]?.int == 1000)
    #expect(root["f"]?.int == nil)
    #expect(root["f"]?.double == 1.5)
    #expect(root["t"]?.bool == true)
    #expect(root["n"]?.isNull == true)
    #expect(root["big"]?.int == nil)
    #expect(root["missing"] == nil)
    #expect(root["a"]?.array?.map(\.kind) == [.number, .array, .object])
    #expect(root["a"]?.array?.last?["b"]?.int == 3)
    #expect(root.members?.map(\.key) == ["s", "i", "f", "t", "n", "a", "big"])
  }

  @Test func accessorsReturnNilForOtherKinds() throws {
    for text in ["null", "true", "1", "\"s\"", "[1]", "{\"a\":1}"] {
      let node = try JSONDocument(parsing: text).root
      #expect((node.string != nil) == (node.kind == .string))
      #expect((node.int != nil) == (node.kind == .number))
      #expect((node.double != nil) == (node.kind == .number))
      #expect((node.bool != nil) == (node.kind == .bool))
      #expect((node.array != nil) == (node.kind == .array))
      #expect((node.members != nil) == (node.kind == .object))
      #expect((node["a"] != nil) == (node.kind == .object))
    }
  }

  @Test func membersHaveSourcePositions() throws {
    let root = try JSONDocument(parsing: "{\n  \"a\": 1,\n  \"b\":\n    [2]\n}").root
    let member = try #require(root.members?.last)
    #expect(member.keyNode.position.description == "3:3")
    #expect(member.value.line == 4)
    #expect(member.value.column == 5)
  }
}
