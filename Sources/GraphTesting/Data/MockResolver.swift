import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Resolves every field of a schema. A value comes from the first of these that has one: a fixture
/// by path, a resolver, the object's known values, a fixture by type; otherwise it is generated.
struct MockResolver: Resolver {
  let service: MockService
  /// Errors in place of values, by response path.
  var errors: [ResponsePath: ExecutionError] = [:]
  /// nil if the endpoint delivers nothing later.
  var directives: DirectiveArguments?

  func resolve(_ context: FieldContext) async throws -> Resolved {
    if let error = errors[context.path] { throw error }
    if let directives, let stream = directives.stream(of: context.fields),
      directives.initialCount(stream) < 0
    {
      throw ExecutionError("`initialCount` of `@stream` is negative.")
    }
    let object = self.object(context)
    let value: Resolved
    if object.fixtures?.field(context.name)?.value == nil,
      let resolver = service.resolvers[context.parentType.name, context.name]
    {
      value = try completed(await resolver(context), place(of: object, context), context)
    } else {
      value = try resolvedWithoutResolvers(context)
    }
    return errors.isEmpty ? value : failing(value, context.path)
  }

  /// The value of a field from every source but the resolvers, for which a caller would have to wait.
  func resolvedWithoutResolvers(_ context: FieldContext) throws(ExecutionError) -> Resolved {
    let object = self.object(context)
    let place = place(of: object, context)
    if let fixture = place.fixtures?.value {
      return try completed(.json(fixture), place, context)
    }
    let name = context.name
    if let member = object.members[name] { return try completed(.json(member), place, context) }
    if object.connection != nil, let part = part(of: object, context) { return part }
    if let member = service.fixtures.values[object.typeName]?[name] {
      return try completed(.json(member), place, context)
    }
    return try generated(place, for: object, context)
  }

  private func place(of object: MockEndpoint.Object, _ context: FieldContext) -> ValuePlace {
    ValuePlace(
      type: context.definition.type, key: key(object, context),
      fixtures: object.fixtures?.field(context.name))
  }

  /// The object that a field belongs to.
  private func object(_ context: FieldContext) -> MockEndpoint.Object {
    switch context.source {
    case .object(let value, _):
      if let object = value as? MockEndpoint.Object { return object }
    case .json(.object(let members)):
      return service.root(context.parentType.name, members)
    case .json, .list, .failure: break
    }
    return service.root(context.parentType.name, [:])
  }

  /// The source of a field's generated value. Arguments count if they select an object.
  private func key(_ object: MockEndpoint.Object, _ context: FieldContext) -> UInt64 {
    let key = MockHash.key(object.key, context.name)
    if context.namedType.isLeafType || context.arguments.isEmpty { return key }
    var hash = MockHash(key)
    for member in context.arguments where !Self.paging.contains(member.key) {
      hash.combine(member.key)
      hash.combine(member.value.description)
    }
    return hash.key
  }

  /// Arguments that select a part or the order of a list, not another list.
  static let paging: Set<String> = [
    "first", "after", "last", "before", "reverse", "sortKey", "orderBy", "offset", "limit",
  ]

  /// Puts errors in place of elements of a list.
  private func failing(_ value: Resolved, _ path: ResponsePath) -> Resolved {
    guard case .list(let items) = value else { return value }
    return .list(
      items.enumerated().map { index, item in
        let path = ResponsePath(path.elements + [.index(index)])
        return errors[path].map(Resolved.failure) ?? failing(item, path)
      })
  }

  func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents {
    if let source = service.resolvers[eventsOf: context.name] { return try await source(context) }
    return MockEvents(service: service, rootType: context.parentType.name)
  }
}

/// The position of a value: its type and the source of its generated value.
struct ValuePlace {
  let type: TypeReference
  let key: UInt64
  let fixtures: PathFixtures?

  /// The position of an element of a list.
  func item(_ index: Int) -> ValuePlace? {
    type.itemType.map {
      ValuePlace(type: $0, key: MockHash.key(key, "item", index), fixtures: fixtures?.item(index))
    }
  }
}

extension FieldContext {
  /// The object that the field belongs to, in a resolver of a ``MockEndpoint``; nil at the root.
  public var mockObject: MockEndpoint.Object? {
    if case .object(let value, _) = source { value as? MockEndpoint.Object } else { nil }
  }
}

/// The events of a subscription without any other source.
struct MockEvents: ResolvedEvents {
  let service: MockService
  let rootType: String

  func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  struct Iterator: AsyncIteratorProtocol {
    let events: MockEvents
    var next = 0

    mutating func next() async throws -> Resolved? {
      guard next < events.service.options.eventCount else { return nil }
      defer { next += 1 }
      return .object(events.service.root(events.rootType, [:], event: next), type: events.rootType)
    }
  }
}

/// Finds objects by their arguments: `node(id:)`, `product(by: {handle:})`.
extension MockResolver {
  enum Lookup {
    case found(MockEndpoint.Object)
    case missing
    /// The arguments do not identify an object, but may contain values of some of its fields.
    case notRequested(JSON.Object)
  }

  func lookup(_ type: NamedType, _ context: FieldContext) -> Lookup {
    if context.arguments.isEmpty { return .notRequested([:]) }
    let given = given(of: type, context)
    if given.isEmpty { return .notRequested([:]) }
    if let id = given["id"]?.text {
      // Without an object with that identifier, one of a concrete type is generated with it.
      let result = lookup(id: id, type)
      if case .notRequested = result { return .notRequested(given) }
      return result
    }
    guard case .object(let object) = type, let known = service.fixtures.objects[type.name] else {
      return .notRequested(given)
    }
    guard let index = known.firstIndex(where: { matches($0, given) }) else { return .missing }
    let key = MockHash.key(service.options.seed, type.name, index)
    return .found(service.object(object, key: key, members: known[index], nil))
  }

  func lookup(id: String, _ type: NamedType) -> Lookup {
    let possible = service.schema.possibleTypes(of: type)
    if let name = service.store.typeName(of: id, among: possible.lazy.map(\.name)),
      let saved = possible.first(where: { $0.name == name })
    {
      return .found(service.object(saved, key: 0, members: ["id": .string(id)], nil))
    }
    for type in possible {
      if let known = service.fixtures.objects[type.name]?.first(where: { $0["id"]?.text == id }) {
        return .found(service.object(type, key: 0, members: known, nil))
      }
    }
    if let generated = MockID(id) {
      guard let type = possible.first(where: { $0.name == generated.typeName }) else {
        return .missing
      }
      return .found(service.object(type, key: generated.key, members: ["id": .string(id)], nil))
    }
    if type.isAbstractType || service.fixtures.objects[type.name] != nil { return .missing }
    return .notRequested([:])
  }

  /// The arguments, and the fields of input objects among them, that are fields of the type.
  private func given(of type: NamedType, _ context: FieldContext) -> JSON.Object {
    var given = JSON.Object()
    for argument in context.arguments {
      if case .object(let fields) = argument.value {
        for field in fields { note(field.key, field.value, type, &given) }
      } else {
        note(argument.key, argument.value, type, &given)
      }
    }
    return given
  }

  private func note(_ name: String, _ value: JSON, _ type: NamedType, _ given: inout JSON.Object) {
    guard let field = type.fields?[name], !field.type.isList, !value.isNull,
      case .scalar(let scalar)? = service.schema.namedType(of: field.type),
      service.schema.isResult(value, of: scalar.name)
    else { return }
    given[name] = value
  }

  private func matches(_ object: JSON.Object, _ given: JSON.Object) -> Bool {
    given.allSatisfy { object[$0.key] == $0.value }
  }
}

/// Known values: JSON becomes objects whose missing fields are generated.
extension MockResolver {
  func completed(
    _ value: Resolved, _ place: ValuePlace, _ context: FieldContext
  ) throws(ExecutionError) -> Resolved {
    if context.namedType.isLeafType { return value }
    switch value {
    case .object, .failure, .json(.null): return value
    case .list(let items):
      var result: [Resolved] = []
      for (index, item) in items.enumerated() {
        guard let place = place.item(index) else { return value }
        result.append(try completed(item, place, context))
      }
      return .list(result)
    case .json(.array(let items)):
      if place.type.isList {
        return try completed(.list(items.map(Resolved.json)), place, context)
      }
      guard let shape = service.connection(context.namedType) else { return value }
      let list = MockList(source: .given(items), count: items.count)
      return try page(of: list, shape, place, context)
    case .json(.object(let members)): return object(members, place) ?? value
    case .json: return value
    }
  }

  private func object(_ members: JSON.Object, _ place: ValuePlace) -> Resolved? {
    let type: ObjectType
    if let name = members["__typename"]?.text {
      // The executor rejects a wrong name.
      guard case .object(let named)? = service.schema.type(named: name) else { return nil }
      type = named
    } else {
      guard let named = service.schema.namedType(of: place.type),
        let chosen = service.objectType(of: named, place.key)
      else { return nil }
      type = chosen
    }
    return .object(
      service.object(type, key: place.key, members: members, place.fixtures), type: type.name)
  }

  /// The page of a list that the arguments select, as a connection.
  func page(
    of list: MockList, _ shape: ConnectionShape, _ place: ValuePlace, _ context: FieldContext
  ) throws(ExecutionError) -> Resolved {
    var list = list
    if case .bool(true)? = context.arguments["reverse"] { list.isReversed = true }
    let typeName = place.type.namedType
    var object = MockEndpoint.Object(typeName, key: place.key, fixtures: place.fixtures)
    object.connection = try MockConnection(list, of: shape.nodeType, context.arguments)
    return .object(object, type: typeName)
  }

  /// A field of a connection or of one of its edges; nil if it is not related to paging.
  func part(of object: MockEndpoint.Object, _ context: FieldContext) -> Resolved? {
    guard let connection = object.connection else { return nil }
    let type = context.definition.type
    switch context.name {
    case "nodes" where type.isList:
      return .list(
        connection.page.enumerated().map { offset, position in
          element(connection, position, object.fixtures?.field("nodes")?.item(offset))
        })
    case "edges" where type.isList:
      return .list(
        connection.page.enumerated().map { offset, position in
          edge(connection, position, type.namedType, object.fixtures?.field("edges")?.item(offset))
        })
    case "node":
      return element(connection, connection.page.lowerBound, object.fixtures?.field("node"))
    case "cursor": return .json(.string(MockConnection.cursor(connection.page.lowerBound)))
    case "pageInfo":
      let page = connection.page
      func cursor(_ position: Int) -> JSON {
        page.isEmpty ? .null : .string(MockConnection.cursor(position))
      }
      let info = MockEndpoint.Object(
        type.namedType, key: object.key,
        members: [
          "hasNextPage": .bool(connection.hasNextPage),
          "hasPreviousPage": .bool(connection.hasPreviousPage),
          "startCursor": cursor(page.lowerBound), "endCursor": cursor(page.upperBound - 1),
        ], fixtures: object.fixtures?.field("pageInfo"))
      return .object(info, type: type.namedType)
    case "totalCount", "count":
      let count = connection.list.count
      return .json(type.namedType == "Int" ? JSON(count) : .string(String(count)))
    default: return nil
    }
  }

  private func edge(
    _ connection: MockConnection, _ position: Int, _ typeName: String, _ fixtures: PathFixtures?
  ) -> Resolved {
    var edge = MockEndpoint.Object(
      typeName, key: MockHash.key(UInt64(position), typeName), fixtures: fixtures)
    edge.connection = MockConnection(connection, at: position)
    return .object(edge, type: typeName)
  }

  private func element(
    _ connection: MockConnection, _ position: Int, _ fixtures: PathFixtures?
  ) -> Resolved {
    let index = connection.list.index(position)
    switch connection.list.source {
    case .given(let items):
      guard items.indices.contains(index) else { return .null }
      let key = MockHash.key(UInt64(index), connection.nodeType.namedType)
      guard case .object(let members) = items[index] else { return .json(items[index]) }
      return object(members, ValuePlace(type: connection.nodeType, key: key, fixtures: fixtures))
        ?? .json(items[index])
    case .generated(let key, let label):
      return element(of: connection.nodeType, key: key, label, index, fixtures)
    }
  }
}
