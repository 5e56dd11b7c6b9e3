import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Errors are stored with their fields.
@Suite struct FieldErrorTests {
  private let query = Sample.buildQuery {
    $0.club(id: "1") { $0.id().name().motto().place { $0.name().city() } }
  }

  private func error(_ path: String, _ message: String = "busy") -> String {
    #"[{"message":"\#(message)","path":[\#(path)],"extensions":{"code":"BUSY"}}]"#
  }

  private let whole = """
    {"club":{"id":"1","name":"a","motto":"m","place":{"name":"p","city":"c"}}}
    """
  private let withoutMotto = """
    {"club":{"id":"1","name":"a","motto":null,"place":{"name":"p","city":"c"}}}
    """
  private let withoutCity = """
    {"club":{"id":"1","name":"a","motto":"m","place":{"name":"p","city":null}}}
    """

  @Test(arguments: StoreKind.allCases)
  func anErrorStoresNullForAMissingField(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    let response = try store.read(query)
    #expect(response.missing == [])
    #expect(response.data?.club?.motto == nil)
    #expect(response.errors.map(\.description) == ["club.motto: busy"])
    #expect(response.errors.first?.extensions?["code"] == "BUSY")
  }

  @Test(arguments: StoreKind.allCases)
  func anErrorKeepsTheStoredValue(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    let response = try store.read(query)
    #expect(response.data?.club?.motto == "m")
    #expect(response.errors.map(\.description) == ["club.motto: busy"])
  }

  @Test(arguments: StoreKind.allCases)
  func aNewValueRemovesTheError(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, withoutCity, errors: error(#""club","place","city""#))
    #expect(try store.read(query).errors.map(\.description) == ["club.place.city: busy"])
    // A response without the field does not change it.
    try await store.write(
      Sample.buildQuery { $0.club(id: "1") { $0.id().name() } }, #"{"club":{"id":"1","name":"b"}}"#)
    #expect(try store.read(query).errors.count == 1)
    try await store.write(query, whole)
    #expect(try store.read(query).errors == [])
    #expect(try store.read(query).data?.club?.place?.city == "c")
  }

  @Test(arguments: StoreKind.allCases)
  func aNullWithoutAnErrorReplacesTheValue(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    try await store.write(query, withoutMotto)
    #expect(try store.read(query).data?.club?.motto == nil)
    #expect(try store.read(query).errors == [])
  }

  @Test(arguments: StoreKind.allCases)
  func deletingAnObjectDeletesItsErrors(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    try await store.write { try $0.delete(Sample.Club.self, key: "1") }
    try await store.write(query, whole)
    #expect(try store.read(query).errors == [])
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    try await store.logout(.everything)
    try await store.write(query, whole)
    #expect(try store.read(query).errors == [])
  }

  @Test func errorsRemainAfterReopening() async throws {
    let file = try TemporaryFolder().file()
    do {
      let store = try Graph.Store(schema: Sample.schema, file: file)
      try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    }
    let store = try Graph.Store(schema: Sample.schema, file: file)
    #expect(try store.read(query).errors.map(\.description) == ["club.motto: busy"])
  }

  @Test(arguments: StoreKind.allCases)
  func theResponseForAClientContainsTheError(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(query, whole)
    #expect(try store.response(to: query.operation(), maximumAge: nil)?.errors == [])
    try await store.write(query, withoutMotto, errors: error(#""club","motto""#))
    #expect(try store.response(to: query.operation(), maximumAge: nil)?.errors.count == 1)
  }
}
