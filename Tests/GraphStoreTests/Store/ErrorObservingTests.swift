import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Observers of a query receive the errors of its fields, even if no value changes.
@Suite struct ErrorObservingTests {
  private let query = Sample.buildQuery { $0.club(id: "1") { $0.id().motto() } }
  private let whole = #"{"club":{"id":"1","motto":"m"}}"#
  private let withoutMotto = #"{"club":{"id":"1","motto":null}}"#

  private func error(_ path: String, _ message: String = "busy") -> String {
    #"[{"message":"\#(message)","path":[\#(path)],"extensions":{"code":"BUSY","n":1.50}}]"#
  }

  @Test(arguments: StoreKind.allCases)
  func observersGetErrorsThatBeginAndEnd(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    var states = try store.states(of: query.operation()).makeAsyncIterator()
    #expect(try await states.next()?.errors == [])
    let busy = error(#""club","motto""#)
    try await store.write(query, withoutMotto, errors: busy)
    let state = try await states.next()
    #expect(state?.data?.club?.motto == "m")
    #expect(state?.errors.map(\.description) == ["club.motto: busy"])
    try await store.write(query, whole)
    #expect(try await states.next()?.errors == [])
  }

  @Test(arguments: StoreKind.allCases)
  func observersOfAMissingFieldGetItsError(kind: StoreKind) async throws {
    let store = try kind.make()
    // The root is stored.
    try await store.write(Sample.buildQuery { $0.club(id: "2") { $0.id() } }, #"{"club":null}"#)
    var states = try store.states(of: query.operation()).makeAsyncIterator()
    #expect(try await states.next()?.data == nil)
    try await store.write(query, #"{"club":null}"#, errors: error(#""club""#))
    let state = try await states.next()
    #expect(state?.data != nil && state?.missing == [])
    #expect(state?.errors.map(\.description) == ["club: busy"])
  }

  @Test(arguments: StoreKind.allCases)
  func anUnchangedErrorDoesNotNotify(kind: StoreKind) async throws {
    let store = try kind.make()
    let busy = error(#""club","motto""#)
    try await store.write(query, withoutMotto, errors: busy)
    let version = store.hub.version
    try await store.write(query, withoutMotto, errors: busy)
    #expect(store.hub.version == version)
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#, "closed"))
    #expect(store.hub.version == version + 1)
  }

  @Test func anotherStoreOfTheFileGetsTheErrors() async throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file)
    let other = try Graph.Store(schema: Sample.schema, file: file)
    try await store.write(query, whole)
    var states = try other.states(of: query.operation()).makeAsyncIterator()
    #expect(try await states.next()?.errors == [])
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    #expect(try await states.next()?.errors.map(\.description) == ["club.motto: busy"])
  }
}
