import GraphJSON
import GraphQLExecution
import GraphQLSchema

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
