import GraphJSON

extension GraphQL {
  /// The data of a typed operation's response. Only generated structs adopt it.
  public typealias SelectedRoot = SelectedDocument & ResponseRoot

  /// The part of ``TypedOperation`` that generated structs share: they have one stored property, their
  /// ``Variables``.
  // A marker, for the size of generated code; see `SelectedObject`.
  @_marker public protocol DocumentOperation: Sendable {}

  /// An operation of a document. Only generated structs adopt it, as a ``TypedQuery``, ``TypedMutation`` or
  /// ``TypedSubscription``. Their `Response` is the operation's struct `Data`, a ``SelectedRoot``.
  ///
  /// Extensions are of ``DocumentOperation`` `where Self: GraphQL.OperationRepresentable`. A cast `as?` needs a concrete
  /// type, or `any GraphQL.QueryRepresentable` and the like.
  public typealias TypedOperation = DocumentOperation & OperationRepresentable
  /// A query of a document.
  public typealias TypedQuery = DocumentOperation & QueryRepresentable
  /// A mutation of a document.
  public typealias TypedMutation = DocumentOperation & MutationRepresentable
  /// A subscription of a document.
  public typealias TypedSubscription = DocumentOperation & SubscriptionRepresentable
}

extension GraphQL.DocumentOperation where Self: GraphQL.OperationRepresentable {
  // Each requirement of a protocol would be a witness, and exported names, in the code of every operation.
  // Safe: a generated struct has one stored property of this type, so both have the same layout. The size finds a struct
  // with more than that.
  private var variables: GraphQL.Variables {
    precondition(
      MemoryLayout<Self>.size == MemoryLayout<GraphQL.Variables>.size,
      "\(Self.self) has other stored properties; generate the code again")
    return unsafe unsafeBitCast(self, to: GraphQL.Variables.self)
  }

  /// The operation with an explicit null for variables, by their names in the document.
  ///
  /// `operation()` throws an error if a variable has a value, if its type does not allow null, or if there is no
  /// such variable.
  // Safe: both have the same layout, as for `variables`.
  public func null(_ names: String...) -> Self {
    var variables = variables
    for name in names { variables.addNull(name) }
    return unsafe unsafeBitCast(variables, to: Self.self)
  }

  /// The operation, ready to be sent.
  ///
  /// - Throws: ``GraphQL/InvalidQuery`` for variables that cannot be sent.
  public func operation() throws(GraphQL.InvalidQuery) -> GraphQL.Operation<Response>
  where Response: GraphQL.SelectedDocument {
    let variables = variables.values
    guard variables.problems.isEmpty else {
      throw GraphQL.InvalidQuery(problems: variables.problems)
    }
    let document = variables.document
    let content = GraphQL.FrozenSelection(
      GraphQL.TypedSelection(
        document: document, variant: document.variant(variables.conditions),
        variables: variables.object),
      kind: Self.operationKind)
    return GraphQL.Operation(
      kind: Self.operationKind, name: document.name, document: document.text,
      variables: variables.object,
      uploads: variables.uploads, content: content)
  }
}

extension GraphQL {
  /// A fragment of a document: what a view or a function reads of an object. Only generated structs adopt it.
  public protocol TypedFragment: SelectedDocument {}
}

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

extension GraphQL {
  /// Whether an operation selected what a fragment selects, with the same arguments. The recursion is as
  /// deep as the fragment.
  struct SelectionComparison {
    private let document: ResponseDocument
    private let schema: SchemaTable
    private(set) var problems: [String] = []
    private var path: [String] = []

    init(_ document: ResponseDocument, in schema: SchemaTable) {
      self.document = document
      self.schema = schema
    }

    mutating func compare(
      _ object: Int, wanted: CollectedFields, selected: CollectedFields
    ) {
      for field in wanted.fields {
        let key = String(decoding: field.key, as: UTF8.self)
        path.append(key)
        defer { path.removeLast() }
        guard let other = selected.fields.first(where: { $0.key == field.key }) else {
          // Builders select it where the type is not known; the one of the outermost object is added from its class.
          let isKnown =
            field.name == "__typename"
            && (path.count == 1 || document.json.member(key, of: object) != nil)
          if !isKnown { report("is not selected") }
          continue
        }
        guard field.storageKey == other.storageKey else {
          report("is another field, or has other arguments")
          continue
        }
        if let type = field.type, let value = document.json.member(key, of: object) {
          compare(value, wanted: field, selected: other, type)
        }
      }
    }

    private mutating func compare(
      _ value: Int, wanted: CollectedField, selected: CollectedField, _ type: TypeInfo
    ) {
      let json = document.json
      switch json.kind(at: value) {
      case .object:
        let type = schema.concreteType(of: type, at: value, in: json) ?? type
        compare(
          value, wanted: wanted.fields(of: type, in: schema),
          selected: selected.fields(of: type, in: schema))
      case .array:
        var element = json.firstChild(of: value)
        let end = json.end(of: value)
        while element < end {
          compare(element, wanted: wanted, selected: selected, type)
          element = json.next(after: element)
        }
      case .null, .bool, .number, .string: break
      }
    }

    private mutating func report(_ problem: String) {
      let problem = "`\(path.joined(separator: "."))` \(problem)"
      if !problems.contains(problem) { problems.append(problem) }
    }
  }
}

extension GraphQL.CollectedField {
  fileprivate var storageKey: String {
    GraphQL.StorageKey.text(name, arguments, raw: rawArguments, directives)
  }
}

extension GraphQL {
  /// An object does not have what a fragment or an operation selects.
  public struct FragmentMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the fragment or operation.
    public let fragment: String
    /// The object's type.
    public let typeName: String
    /// The missing fields, and those that are different: `price` is not selected.
    public let problems: [String]

    public var description: String {
      "\(fragment) cannot be read from this \(typeName): \(problems.joined(separator: "; "))"
    }
  }
}

extension GraphQL {
  /// The variables of a typed operation, as they are sent.
  ///
  /// A single reference: the compiler then writes no functions that copy and destroy operations, but uses those of
  /// references.
  public struct Variables: Sendable {
    private var stored: StoredVariables

    /// No variables yet.
    public init<Data: SelectedDocument>(_ data: Data.Type) {
      let document = data._document()
      stored = StoredVariables(
        VariableValues(document: document.schema.requestCaches.loaded(document)))
    }

    /// Adds a value.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value) {
      change { $0.add(name, value) }
    }

    /// Adds a value; nil leaves the variable out.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { _add(name, value) }
    }

    /// Adds a null for a variable that was left out.
    mutating func addNull(_ name: String) {
      change { $0.addNull(name) }
    }

    var values: VariableValues { stored.values }

    private mutating func change(_ body: (inout VariableValues) -> Void) {
      if !isKnownUniquelyReferenced(&stored) { stored = StoredVariables(stored.values) }
      body(&stored.values)
    }
  }

  // Safe: the values are only changed while the object has one reference.
  private final class StoredVariables: @unchecked Sendable {
    var values: VariableValues

    init(_ values: VariableValues) { self.values = values }
  }
}

extension GraphQL.Variables: CustomReflectable {
  /// The name of the operation. The values may be secrets, and are not shown.
  public var customMirror: Mirror {
    Mirror(self, children: ["operation": values.document.name])
  }
}

extension GraphQL {
  /// The values of the variables that were added.
  struct VariableValues: Sendable {
    let document: LoadedDocument
    /// The JSON object with the variables that were added.
    private(set) var object: [UInt8] = LoadedDocument.noVariables
    private(set) var uploads: [(path: String, upload: Upload)] = []
    private(set) var problems: [InvalidQuery.Problem] = []
    /// Those that decide about `@include` and `@skip`.
    private(set) var conditions: [String: Bool] = [:]
    /// Generated code adds variables in the order of the document.
    private var next = 0

    init(document: LoadedDocument) { self.document = document }

    mutating func add<Value: InputValue>(_ name: String, _ value: Value) {
      let variable = document.variable(name, expectedAt: next)
      next = variable.position + 1
      var writer = ValueWriter(.json, schema: document.schema)
      writer.expected = variable.type
      writer.addMember(prefix: variable.prefix, to: &object) { value._write(to: &$0) }
      if variable.isCondition, let value = value as? Bool { conditions[name] = value }
      guard let found = writer.takeFindings() else { return }
      uploads += found.uploads.map { upload in
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }
        return (path.joined(separator: "."), upload.upload)
      }
      for problem in found.problems { fail(name, problem) }
    }

    mutating func addNull(_ name: String) {
      if !document.declares(name) {
        fail(name, "the operation has no variable of this name")
      } else if let known = try? JSON(parsing: object), known[name] != nil {
        fail(name, "it has a value, so it cannot be null")
      } else {
        add(name, JSON.null)
      }
    }

    private mutating func fail(_ name: String, _ problem: String) {
      problems.append(InvalidQuery.Problem(message: "variable `\(name)`: \(problem)", path: []))
    }
  }
}

extension GraphQL {
  /// Checks the values for the variables of a fragment against the arguments that use them. A typed operation needs no
  /// such check, since the compiler makes it.
  struct VariableCheck {
    let schema: SchemaTable
    let variables: (String) -> JSON?

    /// The problem with the value of an argument; nil if there is none.
    func problem(_ value: TemplateValue, _ type: TypeReference) -> String? {
      problem(value, type.wrapping, schema.namedType(type.name))
    }

    private func problem(
      _ value: TemplateValue, _ wrapping: Wrapping, _ named: NamedType
    ) -> String? {
      switch value {
      // The generator has checked it.
      case .json: return nil
      case .variable(let name):
        guard let json = variables(name) else {
          return wrapping.outermost == .nonNull ? "the variable `$\(name)` needs a value" : nil
        }
        return problem(json, wrapping, named).map { "the variable `$\(name)`: \($0)" }
      case .list(let elements):
        let element = wrapping.nullable.outermost == .list ? wrapping.nullable.inner : wrapping
        return elements.lazy.compactMap { problem($0, element, named) }.first
      case .object(let fields):
        return fields.lazy.compactMap { argument in
          field(argument.name, of: named).flatMap {
            problem(argument.value, $0.type.wrapping, $0.named)
          }
        }.first
      }
    }

    /// Specification: 3.5 Scalars, 3.10 Input Objects, 3.11 List, Input Coercion.
    private func problem(_ json: JSON, _ wrapping: Wrapping, _ named: NamedType) -> String? {
      let nullable = wrapping.nullable
      switch json {
      case .null:
        return wrapping.outermost == .nonNull ? "null where the schema requires a value" : nil
      case .array(let elements) where nullable.outermost == .list:
        return elements.lazy.compactMap { problem($0, nullable.inner, named) }.first
      case _ where nullable.outermost == .list: return problem(json, nullable.inner, named)
      case .object(let object):
        guard case .input = named else { return leafProblem(json, named) }
        return object.lazy.compactMap { member in
          guard let field = field(member.key, of: named) else {
            return "there is no field `\(member.key)`"
          }
          return problem(member.value, field.type.wrapping, field.named)
            .map { "`\(member.key)`: \($0)" }
        }.first
      default: return leafProblem(json, named)
      }
    }

    private func leafProblem(_ json: JSON, _ named: NamedType) -> String? {
      var writer = JSONWriter()
      writer.value(json)
      guard let document = try? JSONDocument(parsing: writer.finish()) else {
        return "lists and objects are nested too deep"
      }
      return LeafCheck(document).problem(JSONDocument.rootIndex, named)
    }

    private func field(_ name: String, of named: NamedType) -> FieldInfo? {
      guard case .input(let position) = named else { return nil }
      return schema.type(at: position).field(name)
    }
  }
}

extension GraphQL.Wrapping {
  /// Without the outermost layer if that is non-null.
  fileprivate var nullable: GraphQL.Wrapping { outermost == .nonNull ? inner : self }
}
