import GraphQLSchema

extension ConfigurationCheck {
  mutating func checkRenames() {
    for (coordinate, name) in configuration.rename.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      if !Identifier.isName(name.value) || SwiftKeywords.unusable.contains(name.value) {
        report.error(
          "InvalidSwiftName", "\(quoted(name.value)) cannot be a name in Swift.",
          at: name.position)
      }
      if case .type(let type) = coordinate, case .scalar? = schema.types[type] {
        report.error(
          "RenamedScalar", "The scalar \(quoted(type)) has no type of its own in Swift.",
          at: name.position, suggestion: "Set its Swift type with `scalars`.")
      }
      if let siblings = siblings(of: coordinate) {
        report.error(
          "UnknownElement", "There is no \(quoted(coordinate.description)) in the schema.",
          at: name.position,
          suggestion: didYouMean(coordinate.description, among: siblings.map(\.description)))
      }
    }
  }

  /// The other elements of a coordinate's scope; nil if the schema has one with that coordinate.
  private func siblings(of coordinate: SchemaCoordinate) -> [SchemaCoordinate]? {
    func others(
      _ names: [String], _ name: String, _ coordinate: (String) -> SchemaCoordinate
    ) -> [SchemaCoordinate]? {
      names.contains(name) ? nil : names.map(coordinate)
    }
    switch coordinate {
    case .type(let name):
      return others(schema.types.elements.map(\.name), name) { .type($0) }
    case .member(let type, let name):
      guard let names = schema.types[type]?.elementNames else { return siblings(of: .type(type)) }
      return others(names, name) { .member(type: type, name: $0) }
    case .argument(let type, let field, let name):
      guard let definition = schema.types[type]?.fields?[field] else {
        return siblings(of: .member(type: type, name: field)) ?? []
      }
      return others(definition.arguments.elements.map(\.name), name) {
        .argument(type: type, field: field, name: $0)
      }
    case .directive(let name):
      return others(schema.directives.elements.map(\.name), name) { .directive($0) }
    case .directiveArgument(let directive, let name):
      guard let definition = schema.directives[directive] else {
        return siblings(of: .directive(directive))
      }
      return others(definition.arguments.elements.map(\.name), name) {
        .directiveArgument(directive: directive, name: $0)
      }
    }
  }
}

extension NamedType {
  /// The names of fields or enum values.
  fileprivate var elementNames: [String] {
    if case .enum(let type) = self { type.values.elements.map(\.name) } else { memberNames }
  }
}
