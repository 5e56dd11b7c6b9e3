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
