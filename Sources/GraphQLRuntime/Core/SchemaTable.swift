import CTreeswiftAtomics

extension GraphQL {
  /// The types of one schema and their generated classes.
  ///
  /// A generated module owns one. The text is indexed when the table is first used; a type's own
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
  ///     *QueryRoot.search 2 by:first=10,last of:nodes
  // Safe: `known` has a word for each header; literals live forever.
  @safe public final class SchemaTable: Sendable {
    /// The name of the generated namespace.
    public let name: String

    private let text: StaticString
    private let headers: [TableHeader]
    private let positions: [String: Int]
    private let directives: [String: [ArgumentInfo]]
    private let responseTypes: [AbstractResponse.Type]
    private let scalars: [String: any Scalar.Type]
    /// Table positions of generated classes, builders and responses alike.
    private let classPositions: [ObjectIdentifier: Int]
    private let roots: [String]
    /// The statements about costs, by schema coordinate; empty for most schemas.
    package let costs: [String: StatedCost]
    private let cache: Locked<Cache>
    /// Set by a higher layer, which alone knows its type.
    let caches: any SchemaCaches
    /// The types of ``cache``, for reading without its lock.
    // Safe: all access is by atomic operations, and the cache keeps the types at these addresses
    // alive.
    private nonisolated(unsafe) let known: UnsafeMutablePointer<UInt>

    /// The parts of the table that were read so far.
    private struct Cache {
      var types: [TypeInfo?]
      /// The possible types of interfaces, by position.
      var implementations: [Int: Set<String>] = [:]
      var sensitiveTypes: Set<String>?
    }

    /// - Parameters:
    ///   - builders: the builder class of each object, interface and union, in the table's order.
    ///   - caches: see ``caches``.
    init(
      name: String, table: StaticString, builders: [AnyClass],
      responses: [AbstractResponse.Type], scalars: [ScalarBinding], caches: any SchemaCaches
    ) {
      self.name = name
      text = table
      let index = table.withUTF8Buffer { unsafe TableIndex($0) }
      headers = index.headers
      positions = index.positions
      directives = index.directives
      roots = index.roots
      costs = index.costs
      precondition(
        index.compositeCount == builders.count && builders.count == responses.count,
        "\(name): the table and the class lists differ; generate the module again")
      responseTypes = responses
      self.scalars = Dictionary(
        scalars.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
      var classPositions: [ObjectIdentifier: Int] = [:]
      for (position, header) in headers.enumerated() {
        guard let ordinal = header.compositeOrdinal else { continue }
        classPositions[ObjectIdentifier(builders[ordinal])] = position
        classPositions[ObjectIdentifier(responses[ordinal])] = position
      }
      self.classPositions = classPositions
      self.caches = caches
      cache = Locked(Cache(types: Array(repeating: nil, count: headers.count)))
      unsafe known = .allocate(capacity: headers.count)
      unsafe known.initialize(repeating: 0, count: headers.count)
    }

    deinit { unsafe known.deallocate() }

    /// The type at a position, read from its lines if this is the first time.
    package func type(at position: Int) -> TypeInfo {
      precondition(position < headers.count)
      // The pointer is valid, since the cache keeps its types alive.
      if let type = unsafe UnsafeRawPointer(bitPattern: treeswift_load_address(known + position)) {
        return unsafe Unmanaged<TypeInfo>.fromOpaque(type).takeUnretainedValue()
      }
      let type = read(position)
      unsafe treeswift_store_address(
        known + position, UInt(bitPattern: Unmanaged.passUnretained(type).toOpaque()))
      return type
    }

    private func read(_ position: Int) -> TypeInfo {
      cache.withLock { cache in
        if let known = cache.types[position] { return known }
        let type = text.withUTF8Buffer {
          unsafe TableReader(bytes: $0, resolve: namedType).type(headers[position], at: position)
        }
        cache.types[position] = type
        return type
      }
    }

    package func type(named name: String) -> TypeInfo? {
      positions[name].map(type(at:))
    }

    /// The type of a generated class, or of a class derived from one; nil for a class of another
    /// module.
    package func type(of generated: AnyClass) -> TypeInfo? {
      var ancestor: AnyClass? = generated
      while let candidate = ancestor {
        if let position = classPositions[ObjectIdentifier(candidate)] { return type(at: position) }
        ancestor = _getSuperclass(candidate)
      }
      return nil
    }

    /// The name of the object type of a generated class; nil for one of another schema, and for the
    /// classes of abstract types.
    package func objectTypeName(of generated: AnyClass) -> String? {
      type(of: generated).flatMap { $0.kind == .object ? $0.name : nil }
    }

    /// The object, interface or union to which a field leads; nil for a field with a value.
    package func type(of field: FieldInfo) -> TypeInfo? {
      if case .composite(let position) = field.named { type(at: position) } else { nil }
    }

    package func root(_ kind: OperationType) -> TypeInfo? {
      kind.rootIndex < roots.count ? type(named: roots[kind.rootIndex]) : nil
    }

    func directive(_ name: String) -> [ArgumentInfo]? { directives[name] }

    /// The names of the object types for which the configuration has an attribute of that name.
    package func typeNames(withAttribute name: String) -> [String] {
      headers.lazy.filter { $0.kind == .object && $0.attributes[name] != nil }.map(\.name)
    }

    /// The names of all object types.
    package var objectTypeNames: [String] {
      headers.lazy.filter { $0.kind == .object }.map(\.name)
    }

    /// See ``typesToHide()``, which is called once.
    var sensitiveTypes: Set<String> {
      if let known = cache.withLock({ $0.sensitiveTypes }) { return known }
      let types = typesToHide()
      cache.withLock { $0.sensitiveTypes = types }
      return types
    }

    /// The values of an attribute in the configuration, by type name.
    package func attribute(_ attribute: String) -> [String: String] {
      Dictionary(
        headers.compactMap { header in header.attributes[attribute].map { (header.name, $0) } },
        uniquingKeysWith: { first, _ in first })
    }

    func responseClass(of type: TypeInfo) -> AbstractResponse.Type? {
      headers[type.index].compositeOrdinal.map { responseTypes[$0] }
    }

    /// Whether every object of type `type` satisfies the type condition `condition`.
    package func applies(_ condition: String, to type: TypeInfo) -> Bool {
      if condition == type.name { return true }
      // A union's list contains its members, and a value of the union can have any of these types.
      if type.kind != .union, type.related.contains(condition) { return true }
      guard let position = positions[condition], headers[position].kind == .union else {
        return false
      }
      return headers[position].names.contains(type.name)
    }

    /// The object types that a value of `type` can have at run time.
    package func possibleTypes(of type: TypeInfo) -> Set<String> {
      switch type.kind {
      case .union: Set(type.related)
      case .interface: implementations(of: type)
      default: [type.name]
      }
    }

    private func implementations(of interface: TypeInfo) -> Set<String> {
      cache.withLock { cache in
        if let known = cache.implementations[interface.index] { return known }
        let found = Set(
          headers.lazy.filter { $0.kind == .object && $0.names.contains(interface.name) }
            .map(\.name))
        cache.implementations[interface.index] = found
        return found
      }
    }

    package func namedType(_ name: String) -> NamedType {
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
      // The line of a scalar that is mapped to a built-in one contains that mapping.
      case .scalar: headers[position].names.first.map(namedType) ?? .scalar(scalars[name])
      }
    }
  }

  /// Results that the layers above ``SchemaTable`` keep for a schema.
  protocol SchemaCaches: AnyObject, Sendable {}

  /// The Swift type that a custom scalar is mapped to.
  public struct ScalarBinding: Sendable {
    let name: String
    let type: any Scalar.Type

    /// - Parameters:
    ///   - name: the scalar's name in the schema.
    ///   - type: the Swift type for it.
    public init(_ name: String, _ type: any Scalar.Type) {
      self.name = name
      self.type = type
    }
  }

  /// The kind of an operation (specification: 2.3 Operations).
  public enum OperationType: String, Sendable, Hashable {
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

// The fields by which types lead to other types.

extension GraphQL.SchemaTable {
  /// The object types to whose objects only objects of `types` lead, such as the lines of a cart. A
  /// root field of the interface `Node`, which can return any object, does not count; nor do
  /// mutations and subscriptions, whose responses may contain objects of any user.
  package func typesReached(onlyThrough types: Set<String>) -> Set<String> {
    let query = Set([root(.query)?.name].compactMap(\.self))
    let outside = objectTypes(reachedFrom: query, notThrough: types)
    return objectTypes(reachedFrom: types, notThrough: []).subtracting(outside)
      .subtracting(types).subtracting(rootNames)
  }

  /// The object types whose objects are not part of a cache on disk: those that the configuration
  /// declares sensitive or transient, and those to which only such objects lead, unless the
  /// configuration declares them persistent.
  func typesToHide() -> Set<String> {
    let stated = attribute("policy")
    let hidden = Set(stated.filter { $0.value != "persistent" }.keys)
    return hidden.union(typesReached(onlyThrough: hidden).filter { stated[$0] == nil })
  }

  /// The names of the types of queries, mutations and subscriptions.
  package var rootNames: Set<String> {
    Set([.query, .mutation, .subscription].compactMap { root($0)?.name })
  }

  /// The name of the type of queries.
  package var queryTypeName: String? { root(.query)?.name }

  /// Whether an object of a type, or a part of it, may have a link to an object of `types`.
  ///
  /// - Parameter isPart: whether objects of a type are part of the objects that lead to them.
  package func typeLeads(
    _ name: String, to types: Set<String>, isPart: (String) -> Bool
  ) -> Bool {
    guard let type = type(named: name) else { return false }
    return type.fields.contains { leads($0, to: types, isPart: isPart) }
  }

  /// Whether one field may have a link to an object of `types`.
  package func fieldLeads(
    _ field: String, of name: String, to types: Set<String>, isPart: (String) -> Bool
  ) -> Bool {
    guard let field = type(named: name)?.field(field) else { return false }
    return leads(field, to: types, isPart: isPart)
  }

  private func leads(
    _ field: GraphQL.FieldInfo, to types: Set<String>, isPart: (String) -> Bool
  ) -> Bool {
    var visited: Set<String> = []
    var waiting = [field]
    while let field = waiting.popLast() {
      guard let target = type(of: field) else { continue }
      for name in possibleTypes(of: target) where visited.insert(name).inserted {
        if types.contains(name) { return true }
        if isPart(name) { waiting += type(named: name)?.fields ?? [] }
      }
    }
    return false
  }

  private func objectTypes(
    reachedFrom names: Set<String>, notThrough ends: Set<String>
  ) -> Set<String> {
    let query = root(.query)?.name
    var visited = names
    var waiting = Array(names.subtracting(ends))
    while let name = waiting.popLast() {
      for field in type(named: name)?.fields ?? [] {
        guard let target = type(of: field) else { continue }
        if name == query, target.kind == .interface, target.name == "Node" { continue }
        for next in possibleTypes(of: target) where visited.insert(next).inserted {
          if !ends.contains(next) { waiting.append(next) }
        }
      }
    }
    return visited
  }
}

extension GraphQL {
  /// The protocol of a generated namespace (`Storefront`): the owner of one ``SchemaTable``.
  public protocol Namespace {
    /// The types of the schema, and the classes that represent them.
    static var schema: SchemaTable { get }
  }
}
