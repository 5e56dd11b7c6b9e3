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
}

extension GraphQL.Operation {
  /// Whether a response alone shows where its values are stored: no field has an alias, and none
  /// below the root fields has arguments.
  package var isStoredByNames: Bool {
    content.selectionSet.hasPlainNames
      && content.selectionSet.subsets.allSatisfy(\.isStoredByNames)
  }
}

extension GraphQL.Operation {
  /// The name of the root's type; nil if the selections are not known.
  package var rootTypeName: String? { content.selectionSet.type?.name }

  /// The names of the root fields, sorted.
  package var rootFields: [String] { Set(content.selectionSet.fieldNames).sorted() }
}

extension GraphQL.SelectionSet {
  /// The names of the fields of this level.
  fileprivate var fieldNames: [String] {
    entries.flatMap { entry -> [String] in
      switch entry {
      case .field(let field): [field.name]
      case .inlineFragment(_, _, let set): set.fieldNames
      case .spread(let fragment, _): fragment.selectionSet.fieldNames
      }
    }
  }

  /// Whether no field of this level has an alias.
  fileprivate var hasPlainNames: Bool {
    entries.allSatisfy { entry in
      switch entry {
      case .field(let field): field.responseName == field.name
      case .inlineFragment(_, _, let set): set.hasPlainNames
      case .spread(let fragment, _): fragment.selectionSet.hasPlainNames
      }
    }
  }

  /// The selection sets below the fields of this one.
  fileprivate var subsets: [GraphQL.SelectionSet] {
    entries.flatMap { entry -> [GraphQL.SelectionSet] in
      switch entry {
      case .field(let field): field.selectionSet.map { [$0] } ?? []
      case .inlineFragment(_, _, let set): set.subsets
      case .spread(let fragment, _): fragment.selectionSet.subsets
      }
    }
  }

  fileprivate var isStoredByNames: Bool {
    entries.allSatisfy { entry in
      switch entry {
      case .field(let field):
        field.arguments.isEmpty && field.rawArguments == nil && field.responseName == field.name
          && field.selectionSet?.isStoredByNames ?? true
      case .inlineFragment(_, _, let set): set.isStoredByNames
      case .spread(let fragment, _): fragment.selectionSet.isStoredByNames
      }
    }
  }
}
