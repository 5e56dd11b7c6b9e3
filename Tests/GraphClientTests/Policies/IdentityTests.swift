import Testing

@testable import GraphClient

struct IdentityTests {
  private let identity = Graph.Identity(of: ["Authorization": "t", "X-Shop": "1"])

  @Test func fieldsWithoutCredentialsDoNotCount() {
    #expect(
      Graph.Identity(of: [
        "x-shop": "1", "traceparent": "00-1", "Accept-Language": "de", "authorization": "t",
      ]) == identity)
  }

  @Test func everyOtherFieldCounts() {
    #expect(Graph.Identity(of: ["Authorization": "t"]) != identity)
    #expect(Graph.Identity(of: ["Authorization": "t", "X-Shop": "2"]) != identity)
    #expect(Graph.Identity(of: ["Authorization": "t", "X-Shop": "1", "Date": "d"]) != identity)
  }

  /// Two tokens that Unicode calls equivalent are those of two users.
  @Test func valuesAreComparedByTheirBytes() {
    #expect(
      Graph.Identity(of: ["X-User": "caf\u{E9}"]) != Graph.Identity(of: ["X-User": "cafe\u{301}"]))
  }
}
