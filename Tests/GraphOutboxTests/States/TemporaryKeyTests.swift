import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphOutbox

struct TemporaryKeyTests {
  @Test func findsAndReplacesKeysThatAreWholeValues() {
    let key = Graph.TemporaryKey.make().rawValue
    let other = Graph.TemporaryKey.make().rawValue
    let variables: JSON = [
      "id": .string(key), "note": .string("about \(key)"),
      "lines": [["owner": .string(other), "count": 2], ["owner": .string(key)]],
    ]
    #expect(Graph.TemporaryKey.keys(in: variables) == [key, other])
    #expect(
      variables.replacing(key, with: "gid://1") == [
        "id": "gid://1", "note": .string("about \(key)"),
        "lines": [["owner": .string(other), "count": 2], ["owner": "gid://1"]],
      ])
  }

  @Test func generatedKeysAreUnique() {
    let keys = Set((0..<1000).map { _ in Graph.TemporaryKey.make() })
    #expect(keys.count == 1000)
    #expect(keys.allSatisfy(Graph.TemporaryKey.isTemporary))
    #expect(!Graph.TemporaryKey.isTemporary("gid://shop/Cart/1"))
  }
}
