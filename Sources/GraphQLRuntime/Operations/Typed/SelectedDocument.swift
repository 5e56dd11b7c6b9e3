import Foundation
import GraphJSON

extension GraphQL {
  /// An object of a fragment, or the data of an operation. Only generated
  /// structs adopt it, as a ``TypedFragment`` or a ``SelectedRoot``.
  ///
  /// It has the functions of `Codable`, but does not refine it: two conformances for each document are 8 % of the
  /// size of generated code. A type that is coded declares it: `extension ProductCard: Codable {}`.
  public protocol SelectedDocument: SelectedObject {
    /// The text of the document. A function, since a static property would export a descriptor.
    static func _document() -> DocumentText
  }
}

extension GraphQL.SelectedDocument {
  /// Creates an object of a fragment, or the data of an operation, from JSON as a service would send it: for previews
  /// and tests.
  ///
  /// ```swift
  /// let card = try ProductCard(json: ["title": "Straw hat", "vendor": "Plume", "id": "1"])
  /// ```
  ///
  /// The JSON has every field of the document under its response name, also the key (such as `id`) that the
  /// generator adds to each object, and `__typename` where the document selects objects of an interface or union.
  ///
  /// - Parameters:
  ///   - json: the object.
  ///   - variables: the values of the variables that the document uses, by their names. They count for `@include` and
  ///     `@skip`.
  /// - Throws: ``GraphQL/FragmentMismatch`` with the first field that is missing or has another type.
  public init(
    json: GraphQL.JSON, variables: GraphQL.JSON = .object([:])
  ) throws(GraphQL.FragmentMismatch) {
    let reader = GraphQL.FragmentReader(Self._document(), variables: variables)
    var typeName = reader.typeName
    if case .string(let name)? = json["__typename"] { typeName = name }
    func mismatch(_ problem: String) -> GraphQL.FragmentMismatch {
      GraphQL.FragmentMismatch(
        fragment: reader.name, typeName: typeName, problems: [problem])
    }
    guard case .object = json else { throw mismatch("the JSON is not an object") }
    guard reader.applies(toObjectsOf: typeName) else {
      throw mismatch("`__typename` must be an object type to which the fragment applies")
    }
    do {
      self = try reader.read(
        Self.self, from: Self.text(json, typeName: typeName), typeName: typeName)
    } catch {
      throw mismatch("\(error)")
    }
  }

  /// The object with the name of its type.
  private static func text(_ json: JSON, typeName: String) -> [UInt8] {
    var object = json
    if json["__typename"] == nil, case .object(let members) = json {
      let name = JSON.Object.Member(key: "__typename", value: .string(typeName))
      object = .object(JSON.Object([name] + members.members))
    }
    var writer = JSONWriter()
    writer.value(object)
    return writer.finish()
  }
}

// Fragments and the data of operations are coded as JSON by the response names: the object as it arrived, which may
// have the fields of other selections as well. Decoding checks it as a response is checked.
extension GraphQL.SelectedDocument {
  /// Encodes the object, for types that are declared to be `Codable`.
  public func encode(to encoder: any Encoder) throws {
    try JSON(parsing: Array(fields.debugDescription.utf8)).encode(to: encoder)
  }

  /// Decodes the object. If the document has `@include` or `@skip` with variables, their values are those of the
  /// `userInfo` under `CodingUserInfoKey.graphQLVariables`, a ``GraphQL/JSON`` object. Without a value, the fields count
  /// as selected.
  ///
  /// - Throws: `DecodingError`, with a ``GraphQL/FragmentMismatch``, for a field that is missing or has another type.
  public init(from decoder: any Decoder) throws {
    let variables = decoder.userInfo[.graphQLVariables] as? JSON ?? .object([:])
    let json = try JSON(from: decoder)
    do throws(GraphQL.FragmentMismatch) {
      try self.init(json: json, variables: variables)
    } catch {
      throw DecodingError.dataCorrupted(error, in: decoder)
    }
  }
}

extension CodingUserInfoKey {
  /// The values of the variables with which a typed operation or fragment is decoded: a ``GraphQL/JSON`` object. They
  /// count for `@include` and `@skip`.
  public static let graphQLVariables = CodingUserInfoKey(rawValue: "graphQLVariables")!
}

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

extension GraphQL {
  /// A variable that a document declares.
  final class DeclaredVariable: Sendable {
    let position: Int
    let name: String
    let type: ValueWriter.Expectation
    /// The JSON before its value, with a comma: `,"first":`.
    let prefix: [UInt8]
    /// Whether it decides about `@include` or `@skip`.
    let isCondition: Bool

    fileprivate init(_ variable: DocumentTemplate.Variable, _ position: Int, isCondition: Bool) {
      self.position = position
      name = variable.name
      type = ValueWriter.Expectation(TypeReference(text: variable.type))
      prefix = Array(",\"\(variable.name)\":".utf8)
      self.isCondition = isCondition
    }
  }

  /// A generated document that was read. There is one for each text and schema, and for each of its directives.
  // Safe: all stored properties are constants of Sendable types.
  final class LoadedDocument: LazyParts, @unchecked Sendable {
    let schema: SchemaTable
    let name: String
    let text: String
    let hash: String
    let template: DocumentTemplate
    let clientDirectives: [ClientDirective]
    private let variables: [DeclaredVariable]
    /// The variables that decide about `@include` and `@skip`, in alphabetical order.
    private let conditions: [String]
    private let shape: UInt32
    private let variants = Locked<[[Bool?]: DocumentVariant]>([:])
    /// By the text of the variables: Swift's equality of strings does not distinguish all.
    private let uses = Locked<[[UInt8]: DocumentUse]>([:])

    /// A document with ten conditions has a thousand variants, most of which are rarely used.
    private static let maximumVariantCount = 64
    /// A program may read a fragment with many values of its variables.
    private static let maximumUseCount = 64

    /// The JSON of no variables.
    static let noVariables = Array("{}".utf8)

    init(_ document: DocumentText) {
      schema = document.schema
      text = document.text.description
      hash = document.hash.description
      shape = document.shape
      template = DocumentReader.read(document.text)
      name = template.name
      clientDirectives = document.readDirectives(of: name)
      let conditions = template.conditions
      self.conditions = conditions.sorted()
      variables = template.variables.enumerated().map { position, variable in
        DeclaredVariable(variable, position, isCondition: conditions.contains(variable.name))
      }
    }

    func declares(_ name: String) -> Bool { variables.contains { $0.name == name } }

    /// - Parameter position: where the variable is if all before it were added.
    func variable(_ name: String, expectedAt position: Int) -> DeclaredVariable {
      if position < variables.count, variables[position].name == name { return variables[position] }
      guard let variable = variables.first(where: { $0.name == name }) else {
        preconditionFailure("\(self.name) does not declare the variable \(name); generate it again")
      }
      return variable
    }

    /// The document with the values of its conditions.
    func variant(_ values: [String: Bool]) -> DocumentVariant {
      if conditions.isEmpty {
        // The only variant.
        return existing(Part<DocumentVariant>.first) ?? keep(makeVariant([:]), as: .first)
      }
      let key = conditions.map { values[$0] }
      return variants.withLock { variants in
        if let known = variants[key] { return known }
        if variants.count >= Self.maximumVariantCount { variants.removeAll() }
        let variant = makeVariant(values)
        variants[key] = variant
        return variant
      }
    }

    /// The document with the values of its variables.
    func use(_ variables: JSON) -> DocumentUse {
      var writer = JSONWriter()
      writer.value(variables)
      let key = writer.finish()
      if let known = uses.withLock({ $0[key] }) { return known }
      let new = DocumentUse(self, variables)
      return uses.withLock { uses in
        if let known = uses[key] { return known }
        if uses.count >= Self.maximumUseCount { uses.removeAll() }
        uses[key] = new
        return new
      }
    }

    private func makeVariant(_ values: [String: Bool]) -> DocumentVariant {
      let variant = DocumentVariant(
        template.frozen(in: schema) { values[$0].map(JSON.bool) }, in: schema)
      precondition(
        variant.checksum == shape,
        """
        the code of \(name) was generated by another version, or from another document: it has the \
        shape \(String(shape, radix: 16)), not \(String(variant.checksum, radix: 16)); generate it again
        """)
      return variant
    }
  }

  /// A document with the values of its conditions: what its responses have.
  final class DocumentVariant: Sendable {
    let document: FrozenDocument
    /// The view of the root, or of the first fragment.
    private let view: RecordView
    let checksum: UInt32
    let plan = SharedResponsePlan()

    fileprivate init(_ document: FrozenDocument, in schema: SchemaTable) {
      self.document = document
      var builder = ViewBuilder(schema: schema)
      var checksum = ViewChecksum()
      let root = document.selectionSet.map { builder.view($0) }
      if let root { checksum.add(root) }
      var first: RecordView?
      for fragment in document.fragments {
        let view = builder.view(of: fragment)
        first = first ?? view
        checksum.add(fragment: fragment.name, view)
      }
      guard let view = root ?? first else {
        preconditionFailure("the text of a typed operation is empty; generate the code again")
      }
      self.view = view
      self.checksum = checksum.value
    }

    /// The selections on the root, or on the objects of the first fragment.
    var selectionSet: SelectionSet? {
      document.selectionSet ?? document.fragments.first?.selectionSet
    }

    func makePlan(in schema: SchemaTable) -> ResponsePlan? {
      selectionSet.flatMap { set in set.type.map { makePlan(set, of: $0, in: schema) } }
    }

    /// - Parameter type: that of the objects.
    func makePlan(
      _ set: SelectionSet, of type: TypeInfo, in schema: SchemaTable
    ) -> ResponsePlan {
      let parsing = ParsingState()
      return ResponsePlan(
        check: CheckPlan(CollectedFields([set], of: type, in: schema), in: schema),
        records: RecordPlace([view], parsing.scalars), parsing: parsing)
    }
  }

  /// The selections of a typed operation.
  struct TypedSelection: Sendable {
    let document: LoadedDocument
    let variant: DocumentVariant
    /// The JSON of the variables.
    let variables: [UInt8]

    /// With the values of the arguments.
    var selectionSet: SelectionSet? {
      let values = try? JSON(parsing: variables)
      return document.template.frozen(in: document.schema) { values?[$0] }.selectionSet
    }
  }
}

extension GraphQL.DocumentTemplate {
  /// The variables of `@include` and `@skip`.
  fileprivate var conditions: Set<String> {
    var names: Set<String> = []
    func gather(_ directives: [GraphQL.TemplateDirective]) {
      for directive in directives where directive.isCondition {
        if case .variable(let name)? = directive.arguments.first?.value { names.insert(name) }
      }
    }
    func gather(_ selections: [GraphQL.TemplateSelection]) {
      for selection in selections {
        switch selection {
        case .field(let field):
          gather(field.directives)
          gather(field.selections ?? [])
        case .inlineFragment(_, let directives, let below):
          gather(directives)
          gather(below)
        case .spread(_, let directives): gather(directives)
        }
      }
    }
    gather(selections)
    for fragment in fragments { gather(fragment.selections) }
    return names
  }
}

extension GraphQL {
  /// A fragment or an operation with the values of its variables. Many objects are read as one fragment.
  final class DocumentUse: Sendable {
    /// With the values of the arguments.
    let selectionSet: SelectionSet
    /// nil for an operation.
    let fragment: FragmentDefinition?
    private let variant: DocumentVariant
    private let plans = Locked<[ObjectIdentifier: SharedResponsePlan]>([:])

    init(_ document: LoadedDocument, _ variables: JSON) {
      var conditions: [String: Bool] = [:]
      if case .object(let object) = variables {
        for member in object.members {
          if case .bool(let value) = member.value { conditions[member.key] = value }
        }
      }
      variant = document.variant(conditions)
      let isFragment = document.template.kind == nil
      let check = VariableCheck(schema: document.schema) { variables[$0] }
      let frozen = document.template.frozen(
        in: document.schema, problem: isFragment ? check.problem : nil
      ) { variables[$0] }
      fragment = isFragment ? frozen.fragments.first?.with(frozen.problems) : nil
      guard let selectionSet = frozen.selectionSet ?? fragment?.selectionSet else {
        preconditionFailure("the text of \(document.name) is empty; generate it again")
      }
      self.selectionSet = selectionSet
    }

    /// The plans for objects of a type to which the fragment applies, or of the root type.
    func plans(for type: TypeInfo) -> SharedResponsePlan {
      plans.withLock { plans in
        let identifier = ObjectIdentifier(type)
        if let known = plans[identifier] { return known }
        let new = SharedResponsePlan()
        plans[identifier] = new
        return new
      }
    }

    func makePlan(for type: TypeInfo, in schema: SchemaTable) -> ResponsePlan {
      variant.makePlan(selectionSet, of: type, in: schema)
    }
  }
}

extension GraphQL {
  /// The text of an operation or a fragment that was generated from a document.
  public struct DocumentText: Sendable {
    let schema: SchemaTable
    let text: StaticString
    let hash: StaticString
    let shape: UInt32
    /// nil if all directives are sent, as in most documents.
    let directives: StaticString?

    /// - Parameters:
    ///   - schema: the types of the generated module.
    ///   - text: as it is sent. It begins with the operation or with the fragment, and their names.
    ///   - hash: the SHA-256 of the text in hexadecimal.
    ///   - shape: the checksum of what the generated structs read.
    ///   - directives: those that are not sent, as JSON: a list with name, path and arguments for each.
    @inlinable
    public init(
      schema: SchemaTable, text: StaticString, hash: StaticString, shape: UInt32,
      directives: StaticString? = nil
    ) {
      self.init(schema, text, hash, shape, directives)
    }

    @usableFromInline
    init(
      _ schema: SchemaTable, _ text: StaticString, _ hash: StaticString, _ shape: UInt32,
      _ directives: StaticString?
    ) {
      self.schema = schema
      self.text = text
      self.hash = hash
      self.shape = shape
      self.directives = directives
    }
  }
}

extension GraphQL.DocumentText {
  /// The text, as it is sent.
  package var sentText: String { "\(text)" }

  /// The name of the operation or fragment.
  package var nameText: String { schema.requestCaches.loaded(self).name }

  /// The type on which the fragment is, or the operation's root type.
  package var typeName: String { GraphQL.FragmentReader(self, variables: .object([:])).typeName }
}

extension GraphQL {
  /// A directive of a document that is not sent: the configuration names it in `clientDirectives`, and the program
  /// gives it a meaning.
  ///
  /// ```graphql
  /// query Orders @priority(level: 3) { … }
  /// ```
  public struct ClientDirective: Hashable, Sendable {
    /// The name without the at sign.
    public let name: String
    /// The response names from the root to the field, or to the object with the fragment; empty for the operation
    /// itself, and `$name` for a variable. Positions in lists are not part of it.
    public let path: [String]
    /// The values of the arguments, with the defaults of those that are not written. Enum values are strings.
    public let arguments: JSON.Object

    /// Creates a directive, for tests of what reads it.
    public init(name: String, path: [String] = [], arguments: JSON.Object = [:]) {
      self.name = name
      self.path = path
      self.arguments = arguments
    }
  }
}

extension GraphQL.DocumentText {
  /// The directives that are not sent.
  func readDirectives(of name: String) -> [GraphQL.ClientDirective] {
    guard let directives else { return [] }
    guard case .array(let uses)? = try? JSON(parsing: Array(directives.description.utf8)) else {
      preconditionFailure("the directives of \(name) are not JSON; generate the code again")
    }
    return uses.map { use in
      guard case .array(let parts) = use, parts.count == 3, case .string(let directive) = parts[0],
        case .array(let path) = parts[1], case .object(let arguments) = parts[2]
      else { preconditionFailure("a directive of \(name) has no name; generate the code again") }
      return GraphQL.ClientDirective(
        name: directive,
        path: path.compactMap { if case .string(let name) = $0 { name } else { nil } },
        arguments: arguments)
    }
  }
}
