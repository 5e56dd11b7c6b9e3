import GraphJSON
import GraphQLRuntime
import GraphStorage
import Testing

/// The values that an error made null.
@Suite struct ErroredValuesTests {
  private func positions(_ data: String, _ path: [GraphQL.ResponsePathElement]) throws -> [String] {
    let json = try JSONDocument(parsing: Array(data.utf8))
    let error = GraphQL.ResponseError(message: "it is busy", path: path)
    return GraphQL.ErroredValues.positions(of: [error], in: json, data: JSONDocument.rootIndex)
      .map { String(decoding: json.source(at: $0), as: UTF8.self) }
  }

  @Test func findsNullAtErrorPath() throws {
    #expect(
      try positions(#"{"shop":{"name":null}}"#, [.key("shop"), .key("name")]) == ["null"])
  }

  @Test func findsPropagatedNull() throws {
    #expect(try positions(#"{"shop":null}"#, [.key("shop"), .key("name")]) == ["null"])
  }

  @Test func findsNullElement() throws {
    let data = #"{"nodes":[{"id":"1"},null]}"#
    #expect(
      try positions(data, [.key("nodes"), .index(1), .key("id")]) == ["null"])
  }

  @Test func ignoresNonNullValues() throws {
    #expect(try positions(#"{"shop":{"name":"Hats"}}"#, [.key("shop"), .key("name")]) == [])
    #expect(try positions(#"{"shop":{}}"#, [.key("shop"), .index(3)]) == [])
  }
}
