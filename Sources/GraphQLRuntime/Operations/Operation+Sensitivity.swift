import GraphJSON

extension GraphQL.Operation {
  /// Whether the response may contain objects of types whose policy is `sensitive` or `transient`;
  /// such a response is never written to disk.
  package func isSensitive(_ response: GraphQL.Response<Root>) -> Bool {
    guard let schema = content.schema else { return false }
    let sensitive = schema.sensitiveTypes
    if sensitive.isEmpty { return false }
    var walk = GraphQL.SelectionWalk()
    if walk.contains(content.selectionSet, type: sensitive.contains) { return true }
    return response.data?._stored.json.names(sensitive) ?? false
  }
}

extension JSONDocument {
  /// Whether a string of the document is one of `names`, as the `__typename` of an object behind an
  /// abstract type is.
  fileprivate func names(_ names: Set<String>) -> Bool {
    var index = firstChild(of: JSONDocument.rootIndex)
    let end = end(of: JSONDocument.rootIndex)
    while index < end {
      switch kind(at: index) {
      case .array, .object: index = firstChild(of: index)
      case .string where names.contains(string(at: index)): return true
      default: index = next(after: index)
      }
    }
    return false
  }
}
