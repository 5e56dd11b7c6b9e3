import GraphCompatibility
import GraphCompatibilityTesting
import GraphQLRuntime
import GraphStore
import GraphTesting
import Testing

@Suite struct ModelManagerConformanceTests {
  private static let sample = ModelManagerSample<Sample.Query, Sample.Club>(
    operation: { key, selection in
      try Sample.buildQuery {
        $0
          .club(id: GraphQL.ID(rawValue: key)) {
            if selection == .both { $0.id().name().motto() } else { $0.id().name() }
          }
      }.operation()
    },
    names: ("id", "name", "motto"), path: "club", data: { "{\"club\":\($0)}" },
    values: { ($0.has(\.name) ? $0.name : nil, $0.has(\.motto) ? $0.motto : nil) })

  @Test(arguments: StoreKind.allCases)
  func storesPassConformanceSuite(kind: StoreKind) async throws {
    let suite = ModelManagerConformance(Self.sample) {
      try kind.make()
    } logout: {
      try await $0.logout(.everything)
    }
    for outcome in await suite.run() { #expect(outcome.failure == nil, "\(outcome)") }
  }
}
