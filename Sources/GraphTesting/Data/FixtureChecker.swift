import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Checks fixtures against a schema. Limited by the depth of the JSON.
struct FixtureChecker {
  let schema: ServiceSchema
  private var problems: [String] = []

  static func check(_ fixtures: Fixtures, _ schema: ServiceSchema) throws(FixtureError) {
    var checker = FixtureChecker(schema: schema)
    for (typeName, value) in fixtures.values.sorted(by: { $0.key < $1.key }) {
      checker.check(value, named: typeName, typeName)
    }
    for (typeName, objects) in fixtures.objects.sorted(by: { $0.key < $1.key }) {
      for (index, object) in objects.enumerated() {
        checker.check(.object(object), named: typeName, "\(typeName)[\(index)]")
      }
    }
    let paths = fixtures.paths.map { ($0.key.description, $0.key, $0.value) }
    for (text, path, value) in paths.sorted(by: { $0.0 < $1.0 }) {
      checker.check(value, at: path, text)
    }
    if !checker.problems.isEmpty { throw FixtureError(checker.problems) }
  }

  private init(schema: ServiceSchema) { self.schema = schema }

  private mutating func check(_ value: JSON, as type: TypeReference, _ place: String) {
    if case .null = value {
      if type.isNonNull { report(place, "null is not a value of \(quoted(type.description)).") }
      return
    }
    if let itemType = type.itemType {
      guard case .array(let items) = value else { return report(place, "A list is required.") }
      for (index, item) in items.enumerated() { check(item, as: itemType, "\(place)[\(index)]") }
    } else {
      check(value, named: type.namedType, place)
    }
  }

  private mutating func check(_ value: JSON, named typeName: String, _ place: String) {
    switch schema.type(named: typeName) {
    case .scalar:
      if !schema.isResult(value, of: typeName) {
        report(place, "The value is not one of \(quoted(typeName)).")
      }
    case .enum(let type):
      guard case .string(let name) = value, type.values.contains(name: name) else {
        return report(place, "The value is not one of \(quoted(typeName)).")
      }
    case .object(let type): checkObject(value, type, place)
    case .interface, .union:
      guard case .string(let name)? = value["__typename"],
        schema.isSubtype(name, of: typeName), case .object(let type)? = schema.type(named: name)
      else {
        return report(place, "`__typename` must name a possible type of \(quoted(typeName)).")
      }
      checkObject(value, type, place)
    case .inputObject, nil: report(place, "There is no output type \(quoted(typeName)).")
    }
  }

  private mutating func checkObject(_ value: JSON, _ type: ObjectType, _ place: String) {
    if case .array(let items) = value, let shape = ConnectionShape(type, schema) {
      for (index, item) in items.enumerated() {
        check(item, as: shape.nodeType, "\(place)[\(index)]")
      }
      return
    }
    guard case .object(let members) = value else { return report(place, "An object is required.") }
    for member in members where member.key != "__typename" {
      if let field = type.fields[member.key] {
        check(member.value, as: field.type, "\(place).\(member.key)")
      } else {
        let advice = didYouMean(member.key, among: type.fields.lazy.map(\.name))
        report(
          place,
          ["\(quoted(type.name)) has no field \(quoted(member.key)).", advice]
            .compactMap(\.self).joined(separator: " "))
      }
    }
  }

  /// Follows a path from the root types; through an abstract type, by any of its possible types.
  private mutating func check(_ value: JSON, at path: ResponsePath, _ place: String) {
    // No response is deeper.
    if path.elements.count > ExecutionLimits().maximumDepth {
      return report("A path", "It has \(path.elements.count) steps.")
    }
    var types = OperationType.allCases.compactMap { schema.rootType(for: $0) }
      .map { TypeReference.named($0.name) }
    for element in path.elements {
      switch element {
      case .index: types = types.compactMap(\.itemType)
      case .name(let name):
        types = types.filter { !$0.isList }.flatMap { type in
          schema.namedType(of: type).map(schema.possibleTypes) ?? []
        }.compactMap { $0.fields[name]?.type }
      }
      if types.isEmpty {
        let step = ResponsePath([element]).description
        return report(place, "\(quoted(step)) does not exist there.")
      }
    }
    check(value, as: types[0], place)
  }

  private mutating func report(_ place: String, _ message: String) {
    problems.append("\(place): \(message)")
  }
}
