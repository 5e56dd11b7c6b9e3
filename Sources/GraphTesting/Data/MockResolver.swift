import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Resolves every field of a schema. A value comes from the first of these that has one: a fixture
/// by path, a resolver, the object's known values, a fixture by type; otherwise it is generated.
struct MockResolver: Resolver {
  let service: MockService
  /// Errors in place of values, by response path.
  var errors: [ResponsePath: ExecutionError] = [:]

  func resolve(_ context: FieldContext) async throws -> Resolved {
    if let error = errors[context.path] { throw error }
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
