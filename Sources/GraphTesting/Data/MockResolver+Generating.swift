import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Generated values.
extension MockResolver {
  func generated(
    _ place: ValuePlace, for object: MockEndpoint.Object, _ context: FieldContext
  ) throws(ExecutionError) -> Resolved {
    let type = context.namedType
    if type.isLeafType { return leaf(place, type, object, context) }
    if place.type.isList { return generatedList(place, type, object, context) }
    if let shape = service.connection(type) {
      return try page(of: list(under: shape, object, context), shape, place, context)
    }
    switch lookup(type, context) {
    case .found(var found):
      found.fixtures = place.fixtures
      return .object(found, type: found.typeName)
    case .missing: return .null
    case .notRequested(let members): return generatedObject(type, place, members)
    }
  }

  // MARK: Leaves

  private func leaf(
    _ place: ValuePlace, _ type: NamedType, _ object: MockEndpoint.Object, _ context: FieldContext
  ) -> Resolved {
    guard place.type.isList else {
      return .json(leaf(type, place.key, object, context, index: 0))
    }
    return .list(
      (0..<service.options.listLength).compactMap { index in
        guard let item = place.item(index) else { return nil }
        if let fixture = item.fixtures?.value { return .json(fixture) }
        if item.type.isList { return leaf(item, type, object, context) }
        // An enum's values follow each other, so that short lists have no duplicates.
        let key = type.kind == .enum ? place.key : item.key
        return .json(leaf(type, key, object, context, index: index))
      })
  }

  private func leaf(
    _ type: NamedType, _ key: UInt64, _ object: MockEndpoint.Object, _ context: FieldContext,
    index: Int
  ) -> JSON {
    if let value = service.fixtures.values[type.name] { return value }
    if type.kind == .enum {
      return .string(service.value(ofEnum: type.name, key &+ UInt64(index)))
    }
    if context.name == "id", type.name == "ID" { return .string(object.id) }
    return MockValues.scalar(type.name, field: context.name, of: object.typeName, key)
  }

  // MARK: Objects

  private func generatedObject(_ type: NamedType, _ place: ValuePlace, _ members: JSON.Object)
    -> Resolved
  {
    guard let objectType = service.objectType(of: type, place.key) else { return .null }
    if members.isEmpty, let known = service.fixtures.objects[objectType.name], !known.isEmpty {
      return generated(objectType, place.key, known.chosen(by: place.key), place.fixtures)
    }
    return generated(objectType, place.key, members, place.fixtures)
  }

  private func generated(
    _ type: ObjectType, _ key: UInt64, _ members: JSON.Object, _ fixtures: PathFixtures?
  ) -> Resolved {
    .object(service.object(type, key: key, members: members, fixtures), type: type.name)
  }

  // MARK: Lists

  private func generatedList(
    _ place: ValuePlace, _ type: NamedType, _ object: MockEndpoint.Object, _ context: FieldContext
  ) -> Resolved {
    // The user errors of a mutation; by default it succeeds.
    if ["userErrors", "errors"].contains(context.name) || context.name.hasSuffix("UserErrors") {
      return .list([])
    }
    if case .array(let ids)? = context.arguments["ids"] {
      return .list(
        ids.map { id in
          guard let id = id.text, case .found(let found) = lookup(id: id, type) else {
            return .null
          }
          return .object(found, type: found.typeName)
        })
    }
    let list = list(of: type, object, context, length: service.options.listLength)
    let itemType = place.type.itemType ?? place.type
    if itemType.isList {
      return .list(
        (0..<service.options.listLength).compactMap(place.item).map {
          generatedList($0, type, object, context)
        })
    }
    return .list(
      (0..<list.count).map { index in
        switch list.source {
        case .given(let items):
          guard case .object(let members) = items[index],
            let objectType = service.objectType(of: type, place.key)
          else { return .null }
          return generated(
            objectType, MockHash.key(place.key, "item", index), members, place.item(index)?.fixtures
          )
        case .generated(let key, let label):
          return element(of: itemType, key: key, label, index, place.item(index)?.fixtures)
        }
      })
  }

  private func list(
    under shape: ConnectionShape, _ object: MockEndpoint.Object, _ context: FieldContext
  ) -> MockList {
    guard let type = service.schema.namedType(of: shape.nodeType) else {
      return MockList(source: .given([]), count: 0)
    }
    return list(of: type, object, context, length: service.options.connectionLength)
  }

  /// The list of a field. At the root it is the list of all objects of the type, so that root
  /// fields are consistent with each other; elsewhere it belongs to the object.
  private func list(
    of type: NamedType, _ object: MockEndpoint.Object, _ context: FieldContext, length: Int
  ) -> MockList {
    let isRoot = service.isRoot(context.parentType.name)
    if let known = service.fixtures.objects[type.name], !known.isEmpty {
      let count = isRoot ? known.count : min(known.count, length)
      let start = isRoot ? 0 : Int(MockHash.key(object.key, context.name) % UInt64(known.count))
      return MockList(
        source: .given((0..<count).map { .object(known[(start + $0) % known.count]) }),
        count: count)
    }
    return MockList(
      source: .generated(
        key: isRoot ? service.options.seed : object.key, label: isRoot ? "" : context.name),
      count: length)
  }

  /// An element of a generated list. Labels are empty at the root, where only the type counts.
  func element(
    of reference: TypeReference, key: UInt64, _ label: String, _ index: Int,
    _ fixtures: PathFixtures?
  ) -> Resolved {
    guard let named = service.schema.namedType(of: reference),
      let type = service.objectType(of: named, MockHash.key(key, label + named.name, index))
    else { return .null }
    let elementKey = MockHash.key(key, label.isEmpty ? type.name : label, index)
    if let value = fixtures?.value, case .object(let members) = value {
      return generated(type, elementKey, members, fixtures)
    }
    return generated(type, elementKey, [:], fixtures)
  }
}
