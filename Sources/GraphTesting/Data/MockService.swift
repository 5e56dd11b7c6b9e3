import GraphJSON
import GraphQLExecution
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
