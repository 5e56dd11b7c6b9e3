import GraphJSON

extension GraphQL {
  /// Reads objects as one fragment, or as the data of an operation.
  package struct FragmentReader {
    package let schema: SchemaTable
    let name: String
    private let use: DocumentUse

    /// - Parameter variables: the values of those that the document uses.
    package init(_ text: DocumentText, variables: JSON) {
      schema = text.schema
      let document = schema.requestCaches.loaded(text)
      name = document.name
      use = document.use(variables)
    }

    /// nil for an operation.
    var fragment: FragmentDefinition? { use.fragment }

    /// With the values of the arguments.
    package var selectionSet: SelectionSet { use.selectionSet }

    /// The type on which the fragment is, or the operation's root type.
    package var typeName: String { selectionSet.type?.name ?? "" }

    /// Whether `typeName` is the name of an object type to which the fragment applies.
    package func applies(toObjectsOf typeName: String) -> Bool {
      guard let type = schema.type(named: typeName), type.kind == .object else { return false }
      return schema.applies(self.typeName, to: type)
    }

    /// The records of an object of the type, after a check. The value at the handle is an object.
    func records(
      of object: ResponseHandle, _ type: TypeInfo, _ context: ResponseContext = .complete
    ) throws(SchemaViolation) -> Fields {
      let plans = use.plans(for: type)
      let plan = plans.take() ?? use.makePlan(for: type, in: schema)
      defer { plans.put(plan) }
      var checker = ResponseChecker(object.document)
      try checker.check(object.index, plan.check)
      guard let place = plan.records else { preconditionFailure("a document has records") }
      let handle = ResponseHandle(recordsOf: object, place, plan.check.collected, context)
      return Fields(handle.document, handle.index)
    }

    /// Reads the text of an object that was assembled for the document.
    ///
    /// - Parameter typeName: the object's type.
    package func read<Object: SelectedDocument>(
      _ type: Object.Type, from json: [UInt8], typeName: String,
      _ context: ResponseContext = .complete
    ) throws -> Object {
      let document = ResponseDocument(
        ParsedSource(
          json: try JSONDocument(parsing: json), root: JSONDocument.rootIndex, operation: nil),
        schema: schema)
      let handle = ResponseHandle(document: document, index: JSONDocument.rootIndex)
      guard let info = schema.type(named: typeName) else {
        preconditionFailure("the schema has no type \(typeName)")
      }
      return Object(fields: try records(of: handle, info, context))
    }
  }
}
