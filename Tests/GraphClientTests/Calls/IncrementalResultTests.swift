import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct IncrementalResultTests {
  private func result(_ payloads: String...) throws -> JSON {
    var result = Graph.IncrementalResult()
    for payload in payloads {
      #expect(result.hasNext)
      try result.add(JSON(parsing: Array(payload.utf8)))
    }
    return try JSON(parsing: result.bytes)
  }

  private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test func mergesDeferredFieldsOfThe2022Format() throws {
    let response = try result(
      #"{"data":{"shop":{"name":"S"}},"hasNext":true}"#,
      #"{"incremental":[{"path":["shop"],"label":"l","data":{"id":"1"}}],"hasNext":true}"#,
      #"{"hasNext":false}"#)
    #expect(try response == json(#"{"data":{"shop":{"name":"S","id":"1"}}}"#))
  }

  @Test func appendsStreamedItemsOfThe2022Format() throws {
    let response = try result(
      #"{"data":{"a":[{"list":[1]}]},"hasNext":true}"#,
      #"{"incremental":[{"path":["a",0,"list",1],"items":[2,3]}],"hasNext":false}"#)
    #expect(try response == json(#"{"data":{"a":[{"list":[1,2,3]}]}}"#))
  }

  @Test(arguments: [
    // Positions other than the list's end.
    #"{"incremental":[{"path":["list",2],"items":[3]}],"hasNext":false}"#,
    #"{"incremental":[{"path":["list",0],"items":[3]}],"hasNext":false}"#,
    // A result that was announced and never completed.
    #"{"pending":[{"id":"0","path":["list"]}],"hasNext":false}"#,
  ])
  func rejectsIncompleteOrMisplacedData(payload: String) throws {
    #expect(throws: Graph.QueryError.self) {
      try result(#"{"data":{"list":[1]},"hasNext":true}"#, payload)
    }
  }

  @Test func ignoresEmptyPayloads() throws {
    let response = try result(
      #"{"data":{"a":1},"hasNext":true}"#, "{}",
      #"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":false}"#)
    #expect(try response == json(#"{"data":{"a":1,"b":2}}"#))
  }

  @Test func reportsWhichPayloadsAddNothing() throws {
    var result = Graph.IncrementalResult()
    #expect(try !result.add([:]) && !result.hasBegun && result.hasNext)
    #expect(try !result.add(["hasNext": true]) && !result.hasBegun)
    #expect(try result.add(["data": ["a": 1], "hasNext": true]) && result.hasBegun)
    #expect(try !result.add(["hasNext": true]) && result.hasNext)
    #expect(try result.add(["hasNext": false]) && !result.hasNext)
  }

  @Test func mergesEntriesAtTheTopLevel() throws {
    let response = try result(
      #"{"data":{"shop":{"name":"S"}},"hasNext":true}"#,
      #"{"path":["shop"],"data":{"id":"1"},"errors":[{"message":"e"}],"hasNext":false}"#)
    #expect(
      try response
        == json(
          #"{"data":{"shop":{"name":"S","id":"1"}},"errors":[{"message":"e","path":["shop"]}]}"#))
  }

  @Test func mergesPendingIncrementalAndCompletedEntries() throws {
    let response = try result(
      #"""
      {"data":{"shop":{"name":"S","list":[1]}},"pending":[{"id":"0","path":["shop"],"label":"d"},
      {"id":"1","path":["shop","list"]}],"hasNext":true,"extensions":{"a":{"b":1}}}
      """#,
      #"""
      {"incremental":[{"id":"0","data":{"owner":{"id":"7"}}},{"id":"1","items":[2]}],
      "hasNext":true,"extensions":{"a":{"c":2}}}
      """#,
      #"""
      {"pending":[{"id":"2","path":["shop"]}],
      "incremental":[{"id":"2","subPath":["owner"],"data":{"email":"x"}},{"id":"1","items":[3,4]}],
      "completed":[{"id":"0"},{"id":"1","errors":[{"message":"cut"}]}],"hasNext":false}
      """#)
    #expect(
      try response
        == json(
          #"""
          {"data":{"shop":{"name":"S","list":[1,2,3,4],"owner":{"id":"7","email":"x"}}},
          "errors":[{"message":"cut","path":["shop","list"]}],"extensions":{"a":{"b":1,"c":2}}}
          """#))
  }

  @Test func mergesDeferredFieldsIntoListItems() throws {
    let response = try result(
      #"{"data":{"shop":{"list":[{"a":1},null,{"a":3}]}},"hasNext":true}"#,
      #"""
      {"incremental":[{"path":["shop"],"data":{"list":[{"b":1},null,{"b":3}]}}],"hasNext":false}
      """#)
    #expect(
      try response == json(#"{"data":{"shop":{"list":[{"a":1,"b":1},null,{"a":3,"b":3}]}}}"#))
  }

  /// The context after the payloads.
  private func context(_ payloads: String...) throws -> GraphQL.ResponseContext {
    var result = Graph.IncrementalResult()
    for payload in payloads { try result.add(json(payload)) }
    return result.context
  }

  @Test func announcedPartsAreKnownUntilTheyAreComplete() throws {
    let initial = #"""
      {"data":{"shop":{"list":[1]}},"pending":[{"id":"0","path":["shop"],"label":"d"},
      {"id":"1","path":["shop","list"]}],"hasNext":true}
      """#
    let (shop, list) = (
      GraphQL.ResponseContext.Part([.key("shop")], "d"),
      GraphQL.ResponseContext.Part([.key("shop"), .key("list")], nil)
    )
    let first = try context(initial)
    #expect(first.hasNext && first.announced == [shop, list] && first.failed.isEmpty)
    let second = try context(
      initial, #"{"incremental":[{"id":"1","items":[2]}],"completed":[{"id":"0"}],"hasNext":true}"#)
    #expect(second.announced == [list])
    let third = try context(
      initial,
      #"{"completed":[{"id":"0","errors":[{"message":"e"}]},{"id":"1"}],"hasNext":false}"#)
    #expect(!third.hasNext && third.announced == [] && third.failed == [shop])
  }

  @Test func partsWithoutDataHaveFailed() throws {
    let context = try self.context(
      #"{"data":{"a":[{"list":[1]}]},"hasNext":true}"#,
      #"""
      {"incremental":[{"path":["a",0],"label":"l","data":null,"errors":[{"message":"e"}]},
      {"path":["a",0,"list",1],"items":null}],"hasNext":true}
      """#)
    #expect(context.announced == nil)
    #expect(
      context.failed == [
        GraphQL.ResponseContext.Part([.key("a"), .index(0)], "l"),
        GraphQL.ResponseContext.Part([.key("a"), .index(0), .key("list")], nil),
      ])
  }

  /// A part can fail below a field that another part has as well.
  @Test func nullReplacesNothingThatIsThere() throws {
    let payloads = [
      #"{"data":{"shop":{"owner":{"id":"1"},"list":[{"a":1}]}},"hasNext":true}"#,
      #"""
      {"incremental":[{"path":["shop"],"label":"l","data":{"owner":null,"list":[null],"name":"S"},
      "errors":[{"message":"e"}]}],"hasNext":false}
      """#,
    ]
    #expect(
      try result(payloads[0], payloads[1])["data"]
        == json(#"{"shop":{"owner":{"id":"1"},"list":[{"a":1}],"name":"S"}}"#))
    #expect(
      try context(payloads[0], payloads[1]).failed
        == [GraphQL.ResponseContext.Part([.key("shop")], "l")])
  }

  @Test(arguments: [
    #"{"incremental":[{"id":"9","data":{}}],"hasNext":true}"#,
    #"{"incremental":[{"path":["nowhere"],"data":{}}],"hasNext":true}"#,
    #"{"incremental":[{"path":["shop",0],"data":{}}],"hasNext":true}"#,
    #"{"incremental":[{"path":["shop",0],"items":[1]}],"hasNext":true}"#,
    #"{"incremental":[{"path":[],"items":[1]}],"hasNext":true}"#,
    #"{"pending":[{"id":"0"}],"hasNext":true}"#, "[]", "7",
    #"{"incremental":[{"path":[],"data":5}],"hasNext":true}"#,
    #"{"incremental":[{"path":["shop","name"],"data":{"a":1}}],"hasNext":true}"#,
    #"{"incremental":[{"path":"shop","data":{}}],"hasNext":true}"#,
    #"{"incremental":[{"data":{}}],"hasNext":true}"#,
    #"{"incremental":[{"path":[],"items":{}}],"hasNext":true}"#,
    #"{"incremental":{},"hasNext":true}"#, #"{"completed":1,"hasNext":true}"#,
    #"{"incremental":[],"hasNext":"no"}"#, #"{"data":{"shop":null},"hasNext":false}"#,
  ])
  func invalidPayloadsAreProtocolViolations(payload: String) throws {
    let error = #expect(throws: Graph.QueryError.self) {
      try result(#"{"data":{"shop":{"name":"S"}},"hasNext":true}"#, payload)
    }
    #expect(error?.code == .protocolViolation)
  }

  @Test func rejectsVeryLongPaths() throws {
    var result = Graph.IncrementalResult()
    try result.add(json(#"{"data":{"a":1},"hasNext":true}"#))
    let path = JSON.array(Array(repeating: .string("a"), count: 100_000))
    #expect(throws: Graph.QueryError.self) {
      try result.add(["incremental": [["path": path, "data": [:]]]])
    }
  }
}
