import GraphJSON
import GraphQLExecution
import GraphQLSchema

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
