import GraphQLRuntime
import Testing

/// Identity is that of the bytes, as for GraphQL servers, not that of Unicode's equivalence.
struct EntityKeyTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func keysAreComparedByTheirBytes() {
    let left = GraphQL.EntityKey(typeName: "Note", key: Self.composed)
    let right = GraphQL.EntityKey(typeName: "Note", key: Self.decomposed)
    #expect(left != right)
    #expect(Set([left, right, left]).count == 2)
    #expect(left == GraphQL.EntityKey("Note:caf\u{E9}"))
    #expect(left.hashValue == GraphQL.EntityKey("Note:caf\u{E9}")?.hashValue)
    #expect(left != GraphQL.EntityKey(typeName: "Memo", key: Self.composed))
    // Long ones, and empty ones.
    let long = String(repeating: "k", count: 100)
    #expect(
      GraphQL.EntityKey(typeName: "A", key: long + "a")
        != GraphQL.EntityKey(typeName: "A", key: long + "b"))
    #expect(
      Set(["", "a"].map { GraphQL.EntityKey(typeName: "A", key: $0) })
        .contains(GraphQL.EntityKey(typeName: "A", key: "")))
  }

  @Test func idsAreComparedByTheirBytes() {
    let (left, right) = (GraphQL.ID(rawValue: Self.composed), GraphQL.ID(rawValue: Self.decomposed))
    #expect(!(left == right))
    #expect(left != right)
    #expect([left] != [right])
    #expect(Set([left, right, left]).count == 2)
    #expect(Dictionary([(left, 1), (right, 2)]) { first, _ in first }[right] == 2)
    #expect(left == GraphQL.ID(rawValue: "caf" + "\u{E9}"))
  }
}
