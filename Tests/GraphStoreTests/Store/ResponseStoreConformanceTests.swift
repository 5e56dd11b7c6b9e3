import GraphQLRuntime
import GraphTesting
import Testing

@testable import GraphStore

@Suite struct ResponseStoreConformanceTests {
  private static let sample = ResponseStoreSample<Sample.Query>(
    operation: { key, selection in
      try Sample.buildQuery {
        $0
          .club(id: GraphQL.ID(rawValue: key)) {
            if selection == .both { $0.id().name().motto() } else { $0.id().name() }
          }
      }.operation()
    },
    names: ("id", "name", "motto"), path: "club", data: { "{\"club\":\($0)}" })

  @Test(arguments: StoreKind.allCases)
  func storesConform(kind: StoreKind) async throws {
    let suite = ResponseStoreConformance(Self.sample) {
      try kind.make()
    } logout: {
      try await $0.logout(.everything)
    }
    for outcome in await suite.run() { #expect(outcome.failure == nil, "\(outcome)") }
  }

  @Test func aCustomResponseStoreConforms() async throws {
    let suite = ResponseStoreConformance(Self.sample) {
      ToyStore()
    } logout: {
      $0.logOut()
    }
    for outcome in await suite.run() { #expect(outcome.failure == nil, "\(outcome)") }
  }

  @Test func aStoreThatKeepsNothingDoesNotConform() async throws {
    let suite = ResponseStoreConformance(Self.sample) {
      Forgetful()
    } logout: { _ in
    }
    let outcomes = await suite.run()
    #expect(
      outcomes.filter { $0.failure == nil }.map(\.check) == [
        "a query returns no response if a field is missing",
        "null is returned with the error that caused it",
      ])
  }
}

/// A store that keeps nothing.
private struct Forgetful: GraphQL.ResponseStore {
  var generation: GraphQL.StoreGeneration { GraphQL.StoreGeneration() }

  func store<Root>(
    _: GraphQL.Response<Root>, of _: GraphQL.Operation<Root>, in _: GraphQL.StoreGeneration?
  ) {}

  func response<Root>(
    to _: GraphQL.Operation<Root>, maximumAge: Duration?
  ) -> GraphQL.StoredResponse<Root>? { nil }
}
