import GraphJSON

extension GraphQL.TypedFragment {
  /// Reads an object of a builder's response as the fragment, or one that was created from fields.
  ///
  /// ```swift
  /// let query = Storefront.buildQuery {
  ///   $0.product(by: .id(id)) { $0.spread(ProductCard.self) }
  /// }
  /// let card = try await client.query(query).data?.product.map { try ProductCard($0) }
  /// ```
  ///
  /// The response must have every field of the fragment, under the same response name and with the same
  /// arguments. If the query spreads the fragment, it has them.
  ///
  /// - Parameters:
  ///   - object: an object to which the fragment applies. For one of a store, use the store's `read(_:key:)`.
  ///   - variables: the values of the variables that the fragment uses, by their names.
  /// - Throws: ``GraphQL/FragmentMismatch`` with everything that is missing.
  public init(
    _ object: GraphQL.AbstractResponse, variables: GraphQL.JSON = .object([:])
  ) throws(GraphQL.FragmentMismatch) {
    let reader = GraphQL.FragmentReader(Self._document(), variables: variables)
    self.init(fields: try reader.read(object))
  }
}

extension GraphQL.FragmentReader {
  fileprivate func read(
    _ object: GraphQL.AbstractResponse
  ) throws(GraphQL.FragmentMismatch) -> GraphQL.Fields {
    let document = object.document.children
    let handle = GraphQL.ResponseHandle(document: document, index: object.index)
    func mismatch(_ problems: [String]) -> GraphQL.FragmentMismatch {
      GraphQL.FragmentMismatch(
        fragment: name, typeName: object.__typename, problems: problems)
    }
    guard document.links == nil, document.probe == nil else {
      throw mismatch(["it is an object of a store; use the store's `read(_:key:)`"])
    }
    guard document.schema === schema, let declared = object.typeInfo else {
      throw mismatch(["it is of another schema"])
    }
    let type =
      schema.concreteType(of: declared, at: object.index, in: document.json) ?? declared
    guard schema.applies(typeName, to: type) else {
      throw mismatch(["the fragment is on \(typeName)"])
    }
    let problems = problems(handle, type)
    guard problems.isEmpty else { throw mismatch(problems) }
    do {
      return try records(of: try withTypename(handle, type), type, context(of: handle))
    } catch {
      throw mismatch(["\(error)"])
    }
  }

  /// The errors below the object, and the parts of it that have arrived.
  private func context(of handle: GraphQL.ResponseHandle) -> GraphQL.ResponseContext {
    let context = handle.document.context
    return context.isPlain ? context : context.below(handle.document.path(to: handle.index))
  }

  /// The object with the name of its type, if the fragment selects that and only the class of the object has it:
  /// builders select it where it is not known.
  private func withTypename(
    _ handle: GraphQL.ResponseHandle, _ type: GraphQL.TypeInfo
  ) throws -> GraphQL.ResponseHandle {
    let json = handle.document.json
    guard type.kind == .object, json.member("__typename", of: handle.index) == nil,
      GraphQL.CollectedFields([selectionSet], of: type, in: schema)
        .fields.contains(where: { $0.name == "__typename" })
    else { return handle }
    var text = Array("{\"__typename\":\"\(type.name)\"".utf8)
    let members = json.source(at: handle.index).dropFirst()
    if json.count(at: handle.index) > 0 { text.append(UInt8(ascii: ",")) }
    text += members
    let document = GraphQL.ResponseDocument(
      GraphQL.ParsedSource(
        json: try JSONDocument(parsing: text), root: JSONDocument.rootIndex, operation: nil),
      schema: schema)
    return GraphQL.ResponseHandle(document: document, index: JSONDocument.rootIndex)
  }

  /// The differences between the fragment and what the operation selected on the object.
  private func problems(_ handle: GraphQL.ResponseHandle, _ type: GraphQL.TypeInfo) -> [String] {
    let document = handle.document
    guard let (operation, root) = document.selected,
      let selection = (operation as? GraphQL.FrozenSelection)?
        .selections(at: document.path(to: handle.index), below: root, in: document)
    else { return [] }
    var comparison = GraphQL.SelectionComparison(document, in: schema)
    comparison.compare(
      handle.index, wanted: GraphQL.CollectedFields([selectionSet], of: type, in: schema),
      selected: GraphQL.CollectedFields(selection.sets, of: type, in: schema))
    return comparison.problems
  }
}

extension GraphQL.AbstractQuery {
  /// Spreads a fragment of a document here, to be read with its initialiser from an object. Its type and this
  /// one must have an object type in common (specification: 5.5.2.3 Fragment Spread Is Possible).
  ///
  /// - Parameter variables: the values of the variables that the fragment uses, by their names.
  @discardableResult
  public final func spread<Fragment: GraphQL.TypedFragment>(
    _ fragment: Fragment.Type, variables: GraphQL.JSON = .object([:])
  ) -> Self {
    let reader = GraphQL.FragmentReader(Fragment._document(), variables: variables)
    guard let definition = reader.fragment else {
      preconditionFailure("the text of \(reader.name) is not a fragment; generate it again")
    }
    describe(GraphQL.SelectionDetails(kind: .spread(definition), name: ""))
    return self
  }
}
