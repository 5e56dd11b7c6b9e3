import CTreeswiftAtomics
import Foundation

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

extension GraphQL {
  /// A type's first line in the table, and where its fields' lines are.
  struct TableHeader: Sendable {
    let kind: TypeInfo.Kind
    let name: String
    let names: [String]
    let attributes: [String: String]
    /// Counts objects, interfaces and unions only: the position in the lists of classes.
    let compositeOrdinal: Int?
    var lines: Range<Int>
  }

  /// One pass over the table's bytes that finds the types and leaves their fields unread.
  struct TableIndex {
    private(set) var headers: [TableHeader] = []
    private(set) var positions: [String: Int] = [:]
    private(set) var directives: [String: [ArgumentInfo]] = [:]
    private(set) var roots: [String] = []
    private(set) var compositeCount = 0
    private(set) var costs: [String: StatedCost] = [:]

    // Safe: the bytes are a literal of the program.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var lines = unsafe TableLines(bytes, in: 0..<bytes.count)
      while let line = lines.next() { read(line) }
    }

    private mutating func read(_ line: TableLine) {
      switch line.first {
      case UInt8(ascii: ">"):
        var rest = line.dropping(1)
        roots = rest.words()
      case UInt8(ascii: "@"): add(.object, line.dropping(1))
      case UInt8(ascii: "&"): add(.interface, line.dropping(1))
      case UInt8(ascii: "|"): add(.union, line.dropping(1))
      case UInt8(ascii: "="): add(.enumeration, line.dropping(1))
      case UInt8(ascii: "$"): add(.scalar, line.dropping(1))
      case UInt8(ascii: "<"):
        var rest = line.dropping(1)
        let isOneOf = rest.take(UInt8(ascii: "!"))
        add(isOneOf ? .oneOfInput : .inputObject, rest)
      case UInt8(ascii: "%"):
        let signature = FieldSignature(line.dropping(1))
        directives[signature.name] = signature.arguments
      case UInt8(ascii: "*"):
        var rest = line.dropping(1)
        let coordinate = rest.word()
        costs[coordinate] = StatedCost(rest.words())
      default:
        // A field's line belongs to the type above it and is read when that type is needed.
        guard !headers.isEmpty else { return }
        let start = headers[headers.count - 1].lines.lowerBound
        headers[headers.count - 1].lines = start..<line.end
      }
    }

    private mutating func add(_ kind: TypeInfo.Kind, _ line: TableLine) {
      var line = line
      let name = line.word()
      var names: [String] = []
      var attributes: [String: String] = [:]
      while !line.isEmpty {
        let word = line.run(until: UInt8(ascii: " "), UInt8(ascii: ":"))
        if line.take(UInt8(ascii: ":")) {
          attributes[word] = line.word()
        } else {
          names.append(word)
          _ = line.take(UInt8(ascii: " "))
        }
      }
      let isComposite = kind == .object || kind == .interface || kind == .union
      positions[name] = headers.count
      headers.append(
        TableHeader(
          kind: kind, name: name, names: names, attributes: attributes,
          compositeOrdinal: isComposite ? compositeCount : nil, lines: line.end..<line.end))
      if isComposite { compositeCount += 1 }
    }
  }

  /// Reads the lines of one type.
  // Safe: the bytes are a literal of the program, and headers contain ranges of it.
  @safe struct TableReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let resolve: (String) -> NamedType

    func type(_ header: TableHeader, at position: Int) -> TypeInfo {
      var fields: [FieldInfo] = []
      var lines = unsafe TableLines(bytes, in: header.lines)
      while let line = lines.next() {
        let signature = FieldSignature(line)
        fields.append(
          FieldInfo(
            name: signature.name, type: signature.type, named: resolve(signature.type.name),
            arguments: signature.arguments))
      }
      return TypeInfo(
        index: position, name: header.name, kind: header.kind, related: header.names,
        attributes: header.attributes, fields: fields)
    }
  }

  /// The parts of `images(first:Int after:String=) ImageConnection!`. A trailing `=` means that the
  /// schema has a default.
  struct FieldSignature {
    let name: String
    let arguments: [ArgumentInfo]
    let type: TypeReference

    init(_ line: TableLine) {
      var line = line
      name = line.run(until: UInt8(ascii: "("), UInt8(ascii: " "))
      var arguments: [ArgumentInfo] = []
      if line.take(UInt8(ascii: "(")) {
        while !line.isEmpty, !line.take(UInt8(ascii: ")")) {
          let argument = line.run(until: UInt8(ascii: ":"), UInt8(ascii: ")"))
          _ = line.take(UInt8(ascii: ":"))
          let type = line.type()
          arguments.append(ArgumentInfo(name: argument, type: type))
          _ = line.take(UInt8(ascii: " "))
        }
      }
      _ = line.take(UInt8(ascii: " "))
      self.arguments = arguments
      type = line.type()
    }
  }
}

extension GraphQL {
  /// The non-empty lines of a part of the table.
  // Safe: the bytes are a literal of the program; positions stay below the end of a range of it.
  @safe struct TableLines {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private let end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
      unsafe self.bytes = bytes
      position = range.lowerBound
      end = range.upperBound
    }

    mutating func next() -> TableLine? {
      guard let base = unsafe bytes.baseAddress else { return nil }
      while position < end {
        let start = position
        // memchr, since most of a large table is skipped and debug builds run this too.
        let newline = unsafe memchr(base + start, 0x0A, end - start)
        let stop =
          unsafe newline.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? end
        position = stop + 1
        if stop > start { return unsafe TableLine(bytes: bytes, position: start, end: stop) }
      }
      return nil
    }
  }

  /// The unread rest of one line.
  // Safe: the bytes are a literal of the program; positions stay below the end of the line.
  @safe struct TableLine {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int
    let end: Int

    var isEmpty: Bool { position >= end }
    var first: UInt8? { unsafe isEmpty ? nil : bytes[position] }

    func dropping(_ count: Int) -> TableLine {
      unsafe TableLine(bytes: bytes, position: min(position + count, end), end: end)
    }

    /// Skips `byte` if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
      guard position < end, unsafe bytes[position] == byte else { return false }
      position += 1
      return true
    }

    /// Takes everything before the first of two bytes, or the end of the line.
    mutating func run(until byte: UInt8, _ other: UInt8) -> String {
      let start = position
      while position < end, unsafe bytes[position] != byte, unsafe bytes[position] != other {
        position += 1
      }
      return text(start..<position)
    }

    /// Takes a word and the space after it.
    mutating func word() -> String {
      defer { _ = take(UInt8(ascii: " ")) }
      return run(until: UInt8(ascii: " "), UInt8(ascii: " "))
    }

    mutating func words() -> [String] {
      var words: [String] = []
      while !isEmpty { words.append(word()) }
      return words
    }

    /// Takes a type reference and the mark of a default after it.
    mutating func type() -> TypeReference {
      let start = position
      while position < end, unsafe bytes[position] != UInt8(ascii: " "),
        unsafe bytes[position] != UInt8(ascii: ")"), unsafe bytes[position] != UInt8(ascii: "=")
      {
        position += 1
      }
      let type = unsafe TypeReference(UnsafeBufferPointer(rebasing: bytes[start..<position]))
      _ = take(UInt8(ascii: "="))
      return type
    }

    private func text(_ range: Range<Int>) -> String {
      unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
  }
}
