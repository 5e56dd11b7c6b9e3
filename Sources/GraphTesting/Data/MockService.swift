public import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema

/// The mocked service: its schema and the sources of its data, which all requests share.
final class MockService: Sendable {
  let schema: ServiceSchema
  let options: MockOptions
  let fixtures: Fixtures
  let pathFixtures: PathFixtures?
  let store: MockStore
  let resolvers: ResolverTable
  private let connections: [String: ConnectionShape]
  /// The object types that have identifiers.
  private let entities: Set<String>
  /// The generated values of each enum; deprecated ones only if there are no others.
  private let enumValues: [String: [String]]
  private let roots: Set<String>

  init(
    schema: ServiceSchema, options: MockOptions, fixtures: Fixtures, store: MockStore,
    resolvers: ResolverTable
  ) throws(FixtureError) {
    try FixtureChecker.check(fixtures, schema)
    self.schema = schema
    self.options = options
    self.fixtures = fixtures
    self.store = store
    self.resolvers = resolvers
    pathFixtures =
      fixtures.paths.isEmpty
      ? nil : PathFixtures(fixtures.paths.map { ($0.key.elements, $0.value) })
    var connections: [String: ConnectionShape] = [:]
    var entities: Set<String> = []
    var enumValues: [String: [String]] = [:]
    for type in schema.types {
      switch type {
      case .object(let type):
        connections[type.name] = ConnectionShape(type, schema)
        if type.fields.contains(name: "id") { entities.insert(type.name) }
      case .enum(let type):
        let current = type.values.filter { $0.deprecationReason == nil }
        enumValues[type.name] = (current.isEmpty ? type.values.elements : current).map(\.name)
      case .scalar, .interface, .union, .inputObject: continue
      }
    }
    self.connections = connections
    self.entities = entities
    self.enumValues = enumValues
    roots = Set(OperationType.allCases.compactMap { schema.rootType(for: $0)?.name })
  }

  func connection(_ type: NamedType) -> ConnectionShape? { connections[type.name] }

  func value(ofEnum typeName: String, _ key: UInt64) -> String {
    enumValues[typeName]?.chosen(by: key) ?? ""
  }

  func isRoot(_ typeName: String) -> Bool { roots.contains(typeName) }

  /// The object under a selection on a root type.
  func root(_ typeName: String, _ members: JSON.Object, event: Int? = nil) -> MockEndpoint.Object {
    MockEndpoint.Object(
      typeName, key: MockHash.key(options.seed, typeName, event), members: members,
      fixtures: pathFixtures)
  }

  /// An object with the members from the store and the fixtures in addition to `members`.
  func object(
    _ type: ObjectType, key: UInt64, members: JSON.Object = [:], _ fixtures: PathFixtures?
  ) -> MockEndpoint.Object {
    var object = MockEndpoint.Object(type.name, key: key, members: members, fixtures: fixtures)
    guard entities.contains(type.name) else { return object }
    if case .string(let id)? = members["id"] {
      object = MockEndpoint.Object(
        type.name, key: self.key(of: id, type), members: members, fixtures: fixtures)
    }
    if let saved = store.object(type.name, id: object.id) { object.members.fill(from: saved) }
    if let known = self.fixtures.objects[type.name], case .string(let id)? = object.members["id"],
      let fixture = known.first(where: { $0["id"]?.text == id })
    {
      object.members.fill(from: fixture)
    }
    return object
  }

  /// The key of an object with an identifier: the one inside the identifier if it was generated.
  private func key(of id: String, _ type: ObjectType) -> UInt64 {
    if let generated = MockID(id), generated.typeName == type.name { return generated.key }
    return MockHash.key(MockHash.key(options.seed, type.name), id)
  }

  /// One of the possible types of a type.
  func objectType(of type: NamedType, _ key: UInt64) -> ObjectType? {
    if case .object(let object) = type { return object }
    let possible = schema.possibleTypes(of: type)
    return possible.isEmpty ? nil : possible.chosen(by: key)
  }
}

extension JSON.Object {
  /// Adds the members of another object that this one lacks.
  mutating func fill(from other: JSON.Object) {
    for member in other where self[member.key] == nil { self[member.key] = member.value }
  }
}

extension JSON {
  /// The text of a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// The values that a ``MockEndpoint`` generates.
public struct MockOptions: Sendable {
  /// Another seed gives other values; the same seed gives the same values on every machine.
  public var seed: UInt64
  /// The number of elements of a list.
  public var listLength: Int
  /// The number of elements of the list behind a connection.
  public var connectionLength: Int
  /// The number of events of a subscription without a resolver for its events.
  public var eventCount: Int
  /// How long a subscription waits, on the endpoint's clock, before each event and its end, and a
  /// response in parts before each part but the first.
  public var eventInterval: Duration
  /// How parts of a response are delivered.
  public var incrementalForm: IncrementalForm

  /// Lengths below zero count as zero.
  public init(
    seed: UInt64 = 0, listLength: Int = 3, connectionLength: Int = 25, eventCount: Int = 3,
    eventInterval: Duration = .zero, incrementalForm: IncrementalForm = .announced
  ) {
    self.seed = seed
    self.listLength = max(0, listLength)
    self.connectionLength = max(0, connectionLength)
    self.eventCount = max(0, eventCount)
    self.eventInterval = eventInterval
    self.incrementalForm = incrementalForm
  }
}

/// Objects that outlive a request: those that mutations have created or changed.
///
/// A field with an `id` argument, such as `node(id:)`, finds an object that was saved here.
/// Wherever an object with that type and identifier occurs, it has the saved members. Other members
/// are generated as for any other object.
///
/// ```swift
/// let store = MockStore()
/// var resolvers = ResolverTable()
/// resolvers["Mutation", "cartNoteUpdate"] = { context in
///   guard case .string(let id)? = context.arguments["cartId"] else { return .null }
///   store.update("Cart", id: id) { $0["note"] = context.arguments["note"] }
///   return .json(["cart": ["id": .string(id)], "userErrors": []])
/// }
/// ```
public final class MockStore: Sendable {
  private let objects = Locked<[String: [String: JSON.Object]]>([:])

  public init() {}

  /// The saved members of an object; nil if it is not saved.
  public func object(_ typeName: String, id: String) -> JSON.Object? {
    objects.withLock { $0.isEmpty ? nil : $0[typeName]?[id] }
  }

  /// Saves an object, replacing its saved members. Its member `id` is set.
  public func save(_ typeName: String, id: String, _ members: JSON.Object) {
    update(typeName, id: id) { $0 = members }
  }

  /// Changes the saved members of an object, starting without members if it is not saved.
  ///
  /// - Returns: the result of the change.
  @discardableResult
  public func update<Result>(
    _ typeName: String, id: String, _ change: (inout JSON.Object) throws -> Result
  ) rethrows -> Result {
    try objects.withLock { objects in
      var members = objects[typeName]?[id] ?? [:]
      let result = try change(&members)
      members["id"] = .string(id)
      objects[typeName, default: [:]][id] = members
      return result
    }
  }

  /// Removes an object; its values are then generated again.
  public func remove(_ typeName: String, id: String) {
    objects.withLock { _ = $0[typeName]?.removeValue(forKey: id) }
  }

  /// Removes all objects.
  public func removeAll() {
    objects.withLock { $0.removeAll() }
  }

  /// The type of the saved object with an identifier, out of several types.
  func typeName(of id: String, among typeNames: some Sequence<String>) -> String? {
    objects.withLock { objects in
      objects.isEmpty ? nil : typeNames.first { objects[$0]?[id] != nil }
    }
  }
}
