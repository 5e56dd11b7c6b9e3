import GraphQLRuntime

/// The problems of a refused query, one text each; empty if it is accepted.
func problems(_ query: some GraphQL.OperationBuilder) -> [String] {
  do {
    _ = try query.operation()
    return []
  } catch {
    return error.problems.map(\.description)
  }
}

extension GraphQL.Operation {
  var variablesText: String { String(decoding: variables, as: UTF8.self) }

  /// The root of a response with `data`.
  func data(_ data: String) throws -> Root {
    guard let root = try response(from: Array("{\"data\":\(data)}".utf8)).data else {
      throw NoData()
    }
    return root
  }
}

struct NoData: Error {}

extension GraphQL.AbstractQuery {
  /// A builder that its closure has stored.
  func child<Child: GraphQL.AbstractQuery>() -> Child {
    var stored: Child?
    _child { (child: Child) in stored = child }
    return stored ?? Child()
  }

  /// A builder for one type of objects that its closure has stored.
  func on<Child: GraphQL.AbstractQuery>(_ type: StaticString) -> Child {
    var stored: Child?
    _on(type) { (child: Child) in stored = child }
    return stored ?? Child()
  }
}
