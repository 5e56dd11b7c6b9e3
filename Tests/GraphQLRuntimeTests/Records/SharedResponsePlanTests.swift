import Testing

@testable import GraphQLRuntime

/// Operations with the same document share a plan for the check, and each is checked as if it had
/// its own.
struct SharedResponsePlanTests {
  private func flags(_ a: Int) -> Shop.QueryRootQuery {
    Shop.buildQuery { $0.products { $0.id().title() }.flags(a: a) }
  }

  @Test func operationsOfOneDocumentShareCheckPlan() throws {
    let first = try flags(1).operation()
    let second = try flags(2).operation()
    #expect(first.document == second.document && first.variables != second.variables)
    let shared = Shop.schema.requestCaches.plan(of: first.document)
    _ = try first.data(#"{"products":[{"id":"1","title":"T"}],"flags":true}"#)
    let plan = try #require(shared.take())
    // The plan keeps no value of an operation.
    #expect(plan.check.collected.fields.allSatisfy { $0.arguments.isEmpty })
    shared.put(plan)
    #expect(throws: GraphQL.ResponseFailure.self) {
      try second.data(#"{"products":[{"id":"1"}],"flags":true}"#)
    }
    #expect(shared.take()?.check === plan.check)
    // While another check uses the plan, a response is checked nevertheless.
    #expect(throws: GraphQL.ResponseFailure.self) {
      try second.data(#"{"products":null,"flags":true}"#)
    }
  }

  /// Their documents are equal, but they leave out different fields.
  @Test func operationsWithConditionsDoNotShareCheckPlan() throws {
    func query(_ isIncluded: Bool) -> Shop.QueryRootQuery {
      Shop.buildQuery { $0.products { $0.id().include(if: isIncluded).title() } }
    }
    let with = try query(true).operation()
    let without = try query(false).operation()
    #expect(with.document == without.document)
    #expect(throws: GraphQL.ResponseFailure.self) { try with.data(#"{"products":[{"id":"1"}]}"#) }
    #expect(try without.data(#"{"products":[{"id":"1"}]}"#).products.count == 1)
  }

  @Test func manyDocumentsAreChecked() throws {
    for number in 0..<600 {
      let operation = try Shop.buildQuery(named: "Q\(number)") { $0.products { $0.id() } }
        .operation()
      #expect(try operation.data(#"{"products":[{"id":"1"}]}"#).products.count == 1)
      #expect(throws: GraphQL.ResponseFailure.self) { try operation.data(#"{"products":[{}]}"#) }
    }
  }
}
