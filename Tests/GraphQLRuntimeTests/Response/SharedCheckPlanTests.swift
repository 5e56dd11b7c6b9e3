import Testing

@testable import GraphQLRuntime

/// Operations of one document are checked by one plan, each as if it were its own.
struct SharedCheckPlanTests {
  private func flags(_ a: Int32) -> Shop.QueryRootQuery {
    Shop.buildQuery { $0.products { $0.id().title() }.flags(a: a) }
  }

  @Test func onePlanServesAllOperationsOfADocument() throws {
    let first = try flags(1).operation()
    let second = try flags(2).operation()
    #expect(first.document == second.document && first.variables != second.variables)
    let shared = Shop.schema.checkPlan(of: first.document)
    _ = try first.data(#"{"products":[{"id":"1","title":"T"}],"flags":true}"#)
    let plan = try #require(shared.take())
    // No value of an operation is kept with it.
    #expect(plan.collected.fields.allSatisfy { $0.arguments.isEmpty })
    shared.put(plan)
    #expect(throws: GraphQL.ResponseFailure.self) {
      try second.data(#"{"products":[{"id":"1"}],"flags":true}"#)
    }
    #expect(shared.take() === plan)
    // While another check has it, an answer is checked all the same.
    #expect(throws: GraphQL.ResponseFailure.self) {
      try second.data(#"{"products":null,"flags":true}"#)
    }
  }

  /// Their documents are equal, but not what they leave out.
  @Test func operationsWithConditionsDoNotShare() throws {
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
