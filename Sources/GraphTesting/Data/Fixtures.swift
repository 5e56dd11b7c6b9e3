public import GraphJSON
public import GraphQLExecution
import GraphQLSchema

/// Data that a ``MockEndpoint`` returns instead of generated values.
///
/// ```json
/// {
///   "types": {
///     "Shop": { "name": "Treeswift Books" },
///     "Product": [ { "id": "1", "title": "Atlas" }, { "id": "2", "title": "Bestiary" } ],
///     "Decimal": "9.99"
///   },
///   "paths": { "shop.description": null, "products.nodes[0].vendor": "Acme" }
/// }
/// ```
///
/// For an object type, an object defines the values that all its objects share; an array lists all
/// objects of the type. Root lists and connections of that type then consist of this list,
/// arguments such as `id` and `handle` search it, and other fields take their objects from it. For
/// a scalar or enum type, the value replaces every value of the type. Objects may leave out fields,
/// which are generated, and may give a connection as an array of its elements.
///
/// A path starts at the root and consists of names of fields (not aliases) and list indices.
public struct Fixtures: Sendable {
  /// The values that objects of a type share, and the values of scalars and enums.
  public var values: [String: JSON] = [:]
  /// All objects of a type.
  public var objects: [String: [JSON.Object]] = [:]
  /// Values by their path from the root.
  public var paths: [ResponsePath: JSON] = [:]

  public init() {}

  /// Reads the JSON form.
  ///
  /// - Throws: ``FixtureError``, or a `JSONError` if the bytes are not JSON.
  public init(parsing bytes: [UInt8]) throws {
    try self.init(JSON(parsing: bytes))
  }

  /// Reads the JSON form.
  public init(_ json: JSON) throws(FixtureError) {
    guard case .object(let sections) = json else {
      throw FixtureError(["Fixtures must be an object with `types` and `paths`."])
    }
    var problems: [String] = []
    for section in sections {
      switch (section.key, section.value) {
      case ("types", .object(let types)):
        for type in types { read(type.key, type.value, &problems) }
      case ("paths", .object(let entries)):
        for entry in entries {
          if let path = ResponsePath(entry.key), !path.elements.isEmpty {
            paths[path] = entry.value
          } else {
            problems.append("\(quoted(entry.key)) is not a path such as `products.nodes[0].title`.")
          }
        }
      case ("types", _), ("paths", _): problems.append("`\(section.key)` is not an object.")
      default: problems.append("\(quoted(section.key)) is neither `types` nor `paths`.")
      }
    }
    if !problems.isEmpty { throw FixtureError(problems) }
  }

  private mutating func read(_ typeName: String, _ value: JSON, _ problems: inout [String]) {
    guard case .array(let elements) = value else {
      values[typeName] = value
      return
    }
    for element in elements {
      if case .object(let object) = element {
        objects[typeName, default: []].append(object)
      } else {
        problems.append("The array for \(quoted(typeName)) contains values that are not objects.")
      }
    }
  }
}

/// Fixtures that do not fit the schema.
public struct FixtureError: Error, Sendable, CustomStringConvertible {
  /// One sentence for each problem.
  public let problems: [String]

  init(_ problems: [String]) { self.problems = problems }

  public var description: String { problems.joined(separator: "\n") }
}

/// Fixtures by field path, as a tree: the fixtures below a field or list element.
final class PathFixtures: Sendable {
  let value: JSON?
  private let fields: [String: PathFixtures]
  private let items: [Int: PathFixtures]

  /// - Parameter depth: how many elements of the paths this node has consumed.
  init(_ entries: [(path: [ResponsePath.Element], value: JSON)], depth: Int = 0) {
    value = entries.last { $0.path.count == depth }?.value
    var fields: [String: [(path: [ResponsePath.Element], value: JSON)]] = [:]
    var items: [Int: [(path: [ResponsePath.Element], value: JSON)]] = [:]
    for entry in entries where entry.path.count > depth {
      switch entry.path[depth] {
      case .name(let name): fields[name, default: []].append(entry)
      case .index(let index): items[index, default: []].append(entry)
      }
    }
    self.fields = fields.mapValues { PathFixtures($0, depth: depth + 1) }
    self.items = items.mapValues { PathFixtures($0, depth: depth + 1) }
  }

  func field(_ name: String) -> PathFixtures? { fields[name] }
  func item(_ index: Int) -> PathFixtures? { items[index] }
}

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
