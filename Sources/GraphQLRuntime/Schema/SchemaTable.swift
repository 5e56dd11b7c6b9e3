import Synchronization

extension GraphQL {
  /// The types of one schema and the generated classes that stand for them.
  ///
  /// A generated module owns one. The text is indexed when the table is first touched; a type's own
  /// lines are read when that type is first needed.
  ///
  /// The text has a line per type and per field, names and punctuation only:
  ///
  ///     >QueryRoot Mutation -
  ///     @Product Node key:id
  ///     title String!
  ///     images(first:Int after:String) ImageConnection!
  ///     &Node
  ///     id ID!
  ///     |SearchResult Article Product
  ///     =CountryCode
  ///     <CartInput
  ///     note String
  ///     <!ProductReference
  ///     id ID
  ///     $DateTime
  ///     %inContext(country:CountryCode)
  public final class SchemaTable: Sendable {
    /// The name of the generated namespace.
    public let name: String

    private let text: String
    private let headers: [TableHeader]
    private let positions: [String: Int]
    private let directives: [String: [ArgumentInfo]]
    private let queryTypes: [AbstractQuery.Type]
    private let responseTypes: [AbstractResponse.Type]
    private let scalars: [String: any Scalar.Type]
    /// Table positions of generated classes, builders and responses alike.
    private let classPositions: [ObjectIdentifier: Int]
    private let roots: [String]
    private let types: Mutex<[Int: TypeInfo]>

    /// - Parameters:
    ///   - name: the generated namespace.
    ///   - table: the text described above.
    ///   - queries: the builder class of each object, interface and union, in the table's order.
    ///   - responses: the response class of each, in the same order.
    ///   - scalars: the Swift types of custom scalars.
    public init(
      name: String, table: StaticString, queries: [AbstractQuery.Type],
      responses: [AbstractResponse.Type], scalars: [ScalarBinding]
    ) {
      self.name = name
      text = String(describing: table)
      let index = TableIndex(text)
      headers = index.headers
      positions = index.positions
      directives = index.directives
      roots = index.roots
      precondition(
        index.compositeCount == queries.count && queries.count == responses.count,
        "\(name): the table and the class lists differ; generate the module again")
      queryTypes = queries
      responseTypes = responses
      self.scalars = Dictionary(
        scalars.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
      var classPositions: [ObjectIdentifier: Int] = [:]
      for (position, header) in headers.enumerated() {
        guard let ordinal = header.compositeOrdinal else { continue }
        classPositions[ObjectIdentifier(queries[ordinal])] = position
        classPositions[ObjectIdentifier(responses[ordinal])] = position
      }
      self.classPositions = classPositions
      types = Mutex([:])
    }

    /// The type at a position, read from its lines if this is the first time.
    func type(at position: Int) -> TypeInfo {
      types.withLock { types in
        if let known = types[position] { return known }
        let type = TableReader(text: text, resolve: namedType).type(headers[position], at: position)
        types[position] = type
        return type
      }
    }

    func type(named name: String) -> TypeInfo? {
      positions[name].map(type(at:))
    }

    /// The type that a generated class stands for; nil for a class of another module.
    func type(of generated: AnyClass) -> TypeInfo? {
      classPositions[ObjectIdentifier(generated)].map(type(at:))
    }

    func root(_ kind: OperationKind) -> TypeInfo? {
      type(named: roots[kind.rootIndex])
    }

    func directive(_ name: String) -> [ArgumentInfo]? { directives[name] }

    func responseClass(of type: TypeInfo) -> AbstractResponse.Type? {
      headers[type.index].compositeOrdinal.map { responseTypes[$0] }
    }

    /// Whether an object of type `concrete` satisfies the type condition `condition`.
    func applies(_ condition: String, to concrete: TypeInfo) -> Bool {
      if condition == concrete.name || concrete.related.contains(condition) { return true }
      guard let type = type(named: condition), type.kind == .union else { return false }
      return type.related.contains(concrete.name)
    }

    /// The object types that a value of `type` can have at run time.
    func possibleTypes(of type: TypeInfo) -> Set<String> {
      switch type.kind {
      case .union: Set(type.related)
      case .interface:
        Set(headers.lazy.filter { $0.kind == .object && $0.names.contains(type.name) }.map(\.name))
      default: [type.name]
      }
    }

    private func namedType(_ name: String) -> NamedType {
      switch name {
      case "Int": return .int
      case "Float": return .float
      case "String": return .string
      case "Boolean": return .boolean
      case "ID": return .id
      default: break
      }
      guard let position = positions[name] else { return .scalar(scalars[name]) }
      return switch headers[position].kind {
      case .object, .interface, .union: .composite(position)
      case .inputObject, .oneOfInput: .input(position)
      case .enumeration: .enumeration
      // A scalar that is mapped to a built-in one says so in its line.
      case .scalar: headers[position].names.first.map(namedType) ?? .scalar(scalars[name])
      }
    }
  }

  /// The Swift type that a custom scalar is mapped to.
  public struct ScalarBinding: Sendable {
    let name: String
    let type: any Scalar.Type

    /// - Parameters:
    ///   - name: the scalar's name in the schema.
    ///   - type: the Swift type that stands for it.
    public init(_ name: String, _ type: any Scalar.Type) {
      self.name = name
      self.type = type
    }
  }

  /// The kind of an operation (specification: 2.3 Operations).
  public enum OperationKind: String, Sendable, Hashable {
    case query, mutation, subscription

    var rootIndex: Int {
      switch self {
      case .query: 0
      case .mutation: 1
      case .subscription: 2
      }
    }
  }
}
