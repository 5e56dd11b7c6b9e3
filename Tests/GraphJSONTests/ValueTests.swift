import GraphJSON
import Testing

@Suite struct ValueTests {
  @Test func createsValuesFromLiterals() throws {
    let json: JSON = ["a": [nil, true, 1, 2.5, "x"], "b": [:], "a": 3]
    #expect(json.description == #"{"a":3,"b":{}}"#)
    #expect(json["a"] == 3)
    #expect(json["z"] == nil)
    #expect(JSON.null["a"] == nil)
    #expect(JSON(UInt8(7)) == 7)
    let array: JSON = [nil, true, 1, -2.5, "x"]
    #expect(array.description == #"[null,true,1,-2.5,"x"]"#)
  }

  @Test func valuesHaveKinds() {
    let values: [JSON] = [nil, false, 0, "", [], [:]]
    #expect(values.map(\.kind) == [.null, .bool, .number, .string, .array, .object])
  }

  @Test func objectsAreEqualInAnyOrder() {
    let one: JSON = ["a": 1, "b": ["c": 2, "d": 3]]
    let other: JSON = ["b": ["d": 3, "c": 2], "a": 1]
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != ["a": 1, "b": ["c": 2]])
    #expect(one != ["a": 1, "b": ["c": 2, "d": 4]])
    #expect(([1, 2] as JSON) != ([2, 1] as JSON))
  }

  @Test(arguments: [3, 16, 17, 18, 200])
  func objectsKeepOrderAndUniqueKeys(count: Int) {
    var object = JSON.Object()
    for number in 0..<count { object["k\(number)"] = JSON(number) }
    for number in 0..<count { object["k\(number)"] = JSON(-number) }
    #expect(object.keys == (0..<count).map { "k\($0)" })
    #expect(object.map(\.value) == (0..<count).map { JSON(-$0) })
    object["k0"] = nil
    object["none"] = nil
    #expect(object["k0"] == nil)
    #expect(object.count == count - 1)
    for number in 1..<count { #expect(object["k\(number)"] == JSON(-number)) }
    object["k0"] = "again"
    #expect(object.keys.last == "k0")
    #expect(object["k0"] == "again")
  }

  @Test func keysAreNotUnicodeNormalized() throws {
    let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
    let json = try JSON(parsing: Array(text.utf8))
    #expect(json.description == text)
    #expect(json["\u{E9}"] == 1 && json["e\u{301}"] == 2)
    #expect(try JSONDocument(parsing: text).root.members?.count == 2)
  }

  @Test func lastRepeatedKeyReplacesFirstInPlace() throws {
    let json = try JSON(parsing: Array(#"{"a":1,"b":2,"a":{"c":3}}"#.utf8))
    #expect(json.description == #"{"a":{"c":3},"b":2}"#)
  }

  @Test func convertsNodesToValueTrees() throws {
    let document = try JSONDocument(parsing: #"{"a":[1.50,{"b":[]},[[]],"\u0041"],"c":null}"#)
    #expect(document.root.json.description == #"{"a":[1.50,{"b":[]},[[]],"A"],"c":null}"#)
    #expect(document.root["a"]?.json.description == #"[1.50,{"b":[]},[[]],"A"]"#)
    #expect(document.root["c"]?.json == .null)
  }
}
