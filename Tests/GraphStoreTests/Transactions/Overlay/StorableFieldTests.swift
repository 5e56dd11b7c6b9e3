import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// The part of expected fields that a file may have.
@Suite struct StorableFieldTests {
  @Test func omitsObjectsAndNullsOfTransientTypes() async throws {
    let store = try Graph.Store(
      schema: Sample.schema, file: TemporaryFolder().file(),
      configuration: .init(policies: ["Person": Graph.TypePolicy(persistence: .transient)]))
    let storable = try await store.write { transaction in
      [
        transaction.storable(["captain": nil, "motto": nil], ofType: "Club"),
        transaction.storable(["persons": [["id": "1"], nil]], ofType: "Club"),
        transaction.storable(["place": nil], ofType: "Club"),
        transaction.storable(nil, ofType: "Person"),
        transaction.storable(["name": "a"], ofType: "Person"),
      ]
    }
    #expect(
      storable == [
        .some(["motto": nil]), .some(["persons": []]), .some(["place": nil]), .none, .none,
      ])
  }
}
