import GraphJSON

extension GraphQL.SelectedDocument {
  /// Creates an object of a fragment, or the data of an operation, from a draft: for previews and tests.
  ///
  /// - Parameters:
  ///   - draft: has every field of the document, under its response name.
  ///   - variables: the values of the variables that the document uses, by their names.
  /// - Throws: ``GraphQL/FragmentMismatch`` with the first field that is missing, or the first problem of the draft.
  public init<Object>(
    _ draft: GraphQL.Draft<Object>, variables: GraphQL.JSON = .object([:])
  ) throws(GraphQL.FragmentMismatch) {
    var members: JSON.Object
    do {
      members = try draft.checked()
    } catch {
      throw GraphQL.FragmentMismatch(
        fragment: "\(Self.self)", typeName: draft.typeName, problems: ["\(error)"])
    }
    if members["__typename"] == nil { members["__typename"] = .string(draft.typeName) }
    try self.init(json: .object(members), variables: variables)
  }
}
