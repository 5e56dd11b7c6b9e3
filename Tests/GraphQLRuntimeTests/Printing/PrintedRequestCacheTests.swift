import Testing

@testable import GraphQLRuntime

/// Selections that were printed before are not printed again; the result is the same.
@Suite struct PrintedRequestCacheTests {
  /// The result of merging and printing a query.
  private func expectMerged(
    _ query: Shop.QueryRootQuery, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var printer = GraphQL.DocumentPrinter(.request, schema: Shop.schema)
    printer.print(.query, query.freeze(.query).content.selectionSet, header: query.header)
    let operation = try query.operation()
    #expect(operation.document == printer.document, sourceLocation: sourceLocation)
    #expect(operation.variables == printer.variables, sourceLocation: sourceLocation)
  }

  @Test func cachedRequestUsesValuesOfEachOperation() throws {
    for id in ["1", "é\"", "1"] {
      let id = GraphQL.ID(rawValue: id)
      try expectMerged(Shop.buildQuery(named: "N") { $0.node(id: id) { $0.id() } })
    }
    for first: Int? in [1, nil, -2, 1] {
      try expectMerged(Shop.buildQuery { $0.products(first: first) { $0.id().title() } })
    }
  }

  @Test func distinguishesRequestsByOperationName() throws {
    for name in ["A", "B", nil, "A"] {
      try expectMerged(Shop.buildQuery(named: name) { $0.products { $0.id() } })
    }
    #expect(throws: GraphQL.InvalidQuery.self) {
      try Shop.buildQuery(named: "A B") { $0.products { $0.id() } }.operation()
    }
  }

  @Test func distinguishesRequestsByArgumentNames() throws {
    for name in ["a", "a1", "a", "b"] {
      let query = Shop.QueryRootQuery()
      query._field("flags", nil)
      query._arg(name, 1)
      try expectMerged(query)
    }
  }

  @Test func distinguishesRequestsByAliasesAndDirectives() throws {
    func query(_ alias: String?, _ condition: Bool?) -> Shop.QueryRootQuery {
      Shop.buildQuery {
        if let condition { $0.include(if: condition) }
        $0.products(alias: alias) { $0.id() }
      }
    }
    for (alias, condition) in [(nil, nil), ("a", nil), ("b", nil), (nil, true), (nil, nil)]
      as [(String?, Bool?)]
    {
      try expectMerged(query(alias, condition))
    }
    try expectMerged(
      Shop.buildQuery(directives: [.inContext(country: .green)]) { $0.products { $0.id() } })
  }

  @Test func reportsInvalidValueEveryTime() throws {
    func query(_ value: Double) -> Shop.QueryRootQuery {
      let query = Shop.QueryRootQuery()
      query._field("flags", nil)
      query._arg("a", value)
      return query
    }
    try expectMerged(query(1))
    #expect(throws: GraphQL.InvalidQuery.self) { try query(.nan).operation() }
    try expectMerged(query(2))
  }

  @Test func printsChangedBuilderAgain() throws {
    let query = Shop.buildQuery { $0.products { $0.id() } }
    try expectMerged(query)
    query.flags()
    try expectMerged(query)
  }

  @Test func operationsReadTheirOwnArguments() throws {
    func operation(_ a: Int) throws -> GraphQL.Operation<Shop.QueryRoot> {
      try Shop.buildQuery { $0.flags(a: a) }.operation()
    }
    for a: Int in [1, 2] {
      guard case .field(let flags)? = try operation(a).content.selectionSet.entries.first else {
        throw NoData()
      }
      #expect(flags.arguments.map { $0.value as? Int } == [a])
    }
  }

  /// Sixteen are kept, and each further one replaces the oldest.
  @Test func replacesOldestCachedRequests() throws {
    for _ in 0..<2 {
      for count in 1...20 {
        try expectMerged(Shop.buildQuery(named: "Q\(count)") { $0.products { $0.id() } })
      }
    }
  }

  @Test func concurrentTasksShareCache() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            let first = task * 100 + number
            let query = Shop.buildQuery(named: "T\(number % 20)") {
              $0.products(first: first) { $0.id() }
            }
            let operation = try query.operation()
            #expect(operation.variables == Array(#"{"first1":\#(first)}"#.utf8))
            #expect(operation.document.hasPrefix("query T\(number % 20)($first1:Int"))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
