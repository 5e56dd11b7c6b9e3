import GraphJSON
import GraphQLRuntime

extension Graph.Transaction {
  /// Stores the object of a draft, with the objects in it; see ``write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``: `invalidJSON` for a draft with a problem, `notAnEntity`.
  @discardableResult
  public func write<Object>(
    _ draft: GraphQL.Draft<Object>
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    // The values were checked when they were written.
    if let problem = draft.problems.first {
      throw Graph.StoreError(.invalidJSON, "\(problem)", cause: problem)
    }
    return try write(json: Array(draft.json.description.utf8), as: Object.self)
  }
}

extension Graph.Store {
  /// Stores the object of a draft, with the objects in it; see ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``: `invalidJSON` for a draft with a problem, `notAnEntity`. Nothing was written then.
  @discardableResult
  public func write<Object>(
    _ draft: GraphQL.Draft<Object>
  ) async throws -> Graph.WriteSummary {
    try await write { try $0.write(draft) }
  }
}

extension Graph.ObjectReading {
  /// A draft of a stored object, to be edited and written again; nil if there is no such object.
  ///
  /// It has the stored fields without arguments. Objects to which it leads have their key fields.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`; `invalidJSON` if a stored value does not have the type of
  ///   its field any more.
  public func draft<Object: GraphQL.AbstractResponse>(
    of type: Object.Type, key: String
  ) throws(Graph.StoreError) -> GraphQL.Draft<Object>? {
    guard let json = try json(of: type, key: key) else { return nil }
    do throws(GraphQL.SchemaViolation) {
      return try GraphQL.Draft(json: json)
    } catch {
      throw Graph.StoreError(.invalidJSON, "\(error)", cause: error)
    }
  }
}
