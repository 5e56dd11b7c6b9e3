import GraphJSON

extension GraphQL.Operation where Root == GraphQL.AbstractResponse {
  /// An operation that is created from its stored text, for example after a restart of the program.
  /// Its selections are not known, so its responses are read without a check against the schema.
  package init(
    kind: GraphQL.OperationType, name: String?, document: String, variables: [UInt8],
    uploads: [(path: String, upload: GraphQL.Upload)] = []
  ) {
    self.init(
      kind: kind, name: name, document: document, variables: variables, uploads: uploads,
      content: GraphQL.FrozenSelection(
        kind: kind, schema: nil, selectionSet: GraphQL.SelectionSet(type: nil, entries: [])))
  }

  /// A mutation that is created from its stored text with its selections; nil if `schema` does not have all of them.
  package init?(
    mutation document: String, name: String?, variables: [UInt8], schema: GraphQL.SchemaTable
  ) {
    guard let stored = GraphQL.StoredDocument(document),
      let values = try? JSON(parsing: variables),
      let set = stored.selections(in: schema, variables: values)
    else { return nil }
    self.init(
      kind: .mutation, name: name, document: document, variables: variables, uploads: [],
      content: GraphQL.FrozenSelection(kind: .mutation, schema: schema, selectionSet: set))
  }
}

extension GraphQL.Operation {
  /// Whether a response alone shows where its values are stored: no field has an alias, and none
  /// below the root fields has arguments.
  package var isStoredByNames: Bool {
    let fields = content.rootFields
    var walk = GraphQL.SelectionWalk()
    return fields.allSatisfy { field in
      guard field.responseName == field.name else { return false }
      return field.selectionSet.map { set in
        walk.allSatisfy(set) { field in
          field.arguments.isEmpty && field.rawArguments == nil && field.responseName == field.name
        }
      } ?? true
    }
  }

  /// The name of the root's type; nil if the selections are not known.
  package var rootTypeName: String? { content.selectionSet.type?.name }

  /// The names of the root fields, sorted.
  package var rootFields: [String] { Set(content.rootFields.map(\.name)).sorted() }
}

extension GraphQL.FrozenSelection {
  fileprivate var rootFields: [GraphQL.SelectionSet.Field] {
    var walk = GraphQL.SelectionWalk()
    return walk.fields(of: selectionSet)
  }
}

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
