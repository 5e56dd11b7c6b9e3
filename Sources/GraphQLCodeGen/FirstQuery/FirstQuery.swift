/// A query for a first program: one path of fields, from the root type of queries to a value that can be
/// printed. It needs no argument that only the user knows.
package struct FirstQuery: Equatable, Sendable {
  let namespace: String
  /// The fields from the root on.
  package let fields: [FieldPlan]
  /// Whether the path ends with the name of the last field's type, because that type has no leaf.
  package let endsWithTypename: Bool
  /// How far it is from a good example, for comparisons.
  let cost: Int

  /// The best query for a module. Every schema has one, since every object has a `__typename`.
  package static func best(for plan: GenerationPlan) -> FirstQuery {
    let finder = FirstQueryFinder(plan)
    // The first of the best, in the order of the schema.
    return finder.queries.min { $0.cost < $1.cost } ?? finder.typename
  }

  /// The best query for each field of the root type that can be selected, and that for its name.
  package static func all(for plan: GenerationPlan) -> [FirstQuery] {
    let finder = FirstQueryFinder(plan)
    return finder.queries + [finder.typename]
  }

  /// The fields as a path, to show it: `shop.name`.
  package var path: String {
    (fields.map(\.schemaName) + (endsWithTypename ? [Self.typename] : [])).joined(separator: ".")
  }

  /// The meta field that each composite type has (section 4.1).
  static let typename = "__typename"
}

extension FirstQuery {
  /// The statement that builds the query, a line per field, so that the user can add others.
  ///
  /// - Parameter name: the constant.
  package func building(_ name: String) -> String {
    var writer = SourceWriter()
    writer.block("let \(name) = \(namespace).buildQuery") { writer in
      select(fields[...], &writer)
    }
    return String(decoding: writer.finish().dropLast(), as: UTF8.self)
  }

  private func select(_ path: ArraySlice<FieldPlan>, _ writer: inout SourceWriter) {
    guard let field = path.first else { return writer.line(names: "$0.\(Self.typename)()") }
    let size = field.pageSize.map { "(\($0.label): \(Self.listedCount))" }
    guard field.subfields != nil else { return writer.line(names: "$0.\(field.method)()") }
    writer.block("$0.\(field.method)\(size ?? "")") { writer in
      select(path.dropFirst(), &writer)
    }
  }

  /// The number of objects of a list to request or to print.
  static let listedCount = 3
}

extension FirstQuery {
  /// Whether the service may return null in place of the value, and report an error with it.
  package var mayBeNull: Bool { fields.contains { $0.type != $0.type.withoutOptionals } }

  /// The statement that prints the value.
  ///
  /// - Parameter root: the constant with the data of the response.
  package func printing(_ root: String) -> String {
    var properties = fields.map {
      Property(name: $0.property, type: $0.type, pages: $0.pageSize != nil)
    }
    if endsWithTypename {
      properties.append(Property(name: Self.typename, type: .named("String"), pages: false))
    }
    let value = Self.read(properties[...], of: root, isPaged: false)
    if !value.isOptional { return "print(\(value.text))" }
    if value.isList { return "print(\(value.text) ?? [])" }
    return "print(\"\\(\(value.text), default: \"null\")\")"
  }

  private struct Property {
    let name: String
    let type: SwiftType
    /// Whether the number of objects was requested.
    let pages: Bool
  }

  /// An expression under construction.
  private struct Value {
    var text: String
    var isOptional: Bool
    /// Whether it is an array that is the result of `map`.
    var isList = false
  }

  /// Reads a path of properties of an object.
  ///
  /// - Parameter isPaged: whether the length of the next list is already limited.
  private static func read(
    _ path: ArraySlice<Property>, of object: String, isPaged: Bool
  ) -> Value {
    guard let property = path.first else { return Value(text: object, isOptional: false) }
    return read(
      path.dropFirst(), of: "\(object).\(property.name)", property.type,
      isPaged: isPaged || property.pages)
  }

  /// Reads a path of properties of the objects in a value of a type.
  private static func read(
    _ path: ArraySlice<Property>, of value: String, _ type: SwiftType, isPaged: Bool
  ) -> Value {
    if path.isEmpty { return Value(text: value, isOptional: type.isOptional) }
    switch type {
    case .optional(let wrapped):
      var value = read(path, of: value + "?", wrapped, isPaged: isPaged)
      value.isOptional = true
      return value
    case .array(let element):
      let inner = read(path, of: "$0", element, isPaged: false)
      let list = isPaged ? value : "\(value).prefix(\(listedCount))"
      let method = inner.isList ? "flatMap" : inner.isOptional ? "compactMap" : "map"
      let result = inner.isList && inner.isOptional ? "\(inner.text) ?? []" : inner.text
      return Value(text: "\(list).\(method) { \(result) }", isOptional: false, isList: true)
    case .named, .generated, .existential:
      return read(path, of: value, isPaged: isPaged)
    }
  }
}

extension SwiftType {
  /// The type with a value in each place.
  fileprivate var withoutOptionals: SwiftType {
    switch self {
    case .optional(let inner): inner.withoutOptionals
    case .array(let element): .array(element.withoutOptionals)
    case .named, .generated, .existential: self
    }
  }
}
