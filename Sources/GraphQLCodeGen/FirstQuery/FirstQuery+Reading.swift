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
