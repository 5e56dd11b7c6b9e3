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
