import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Finds objects by their arguments: `node(id:)`, `product(by: {handle:})`.
extension MockResolver {
  enum Lookup {
    case found(MockEndpoint.Object)
    case missing
    /// The arguments do not identify an object, but may contain values of some of its fields.
    case notAsked(JSON.Object)
  }

  func lookup(_ type: NamedType, _ context: FieldContext) -> Lookup {
    if context.arguments.isEmpty { return .notAsked([:]) }
    let told = told(of: type, context)
    if told.isEmpty { return .notAsked([:]) }
    if let id = told["id"]?.text {
      // Without an object with that identifier, one of a concrete type is generated with it.
      let result = lookup(id: id, type)
      if case .notAsked = result { return .notAsked(told) }
      return result
    }
    guard case .object(let object) = type, let known = model.fixtures.objects[type.name] else {
      return .notAsked(told)
    }
    guard let index = known.firstIndex(where: { matches($0, told) }) else { return .missing }
    let key = MockHash.key(model.options.seed, type.name, index)
    return .found(model.object(object, key: key, members: known[index], nil))
  }

  func lookup(id: String, _ type: NamedType) -> Lookup {
    let possible = model.schema.possibleTypes(of: type)
    if let name = model.store.typeName(of: id, among: possible.lazy.map(\.name)),
      let saved = possible.first(where: { $0.name == name })
    {
      return .found(model.object(saved, key: 0, members: ["id": .string(id)], nil))
    }
    for type in possible {
      if let known = model.fixtures.objects[type.name]?.first(where: { $0["id"]?.text == id }) {
        return .found(model.object(type, key: 0, members: known, nil))
      }
    }
    if let made = MockID(id) {
      guard let type = possible.first(where: { $0.name == made.typeName }) else { return .missing }
      return .found(model.object(type, key: made.key, members: ["id": .string(id)], nil))
    }
    if type.isAbstractType || model.fixtures.objects[type.name] != nil { return .missing }
    return .notAsked([:])
  }

  /// The arguments, and the fields of input objects among them, that are fields of the type.
  private func told(of type: NamedType, _ context: FieldContext) -> JSON.Object {
    var told = JSON.Object()
    for argument in context.arguments {
      if case .object(let fields) = argument.value {
        for field in fields { note(field.key, field.value, type, &told) }
      } else {
        note(argument.key, argument.value, type, &told)
      }
    }
    return told
  }

  private func note(_ name: String, _ value: JSON, _ type: NamedType, _ told: inout JSON.Object) {
    guard let field = type.fields?[name], !field.type.isList, !value.isNull,
      case .scalar(let scalar)? = model.schema.namedType(of: field.type),
      model.schema.isResult(value, of: scalar.name)
    else { return }
    told[name] = value
  }

  private func matches(_ object: JSON.Object, _ told: JSON.Object) -> Bool {
    told.allSatisfy { object[$0.key] == $0.value }
  }
}
