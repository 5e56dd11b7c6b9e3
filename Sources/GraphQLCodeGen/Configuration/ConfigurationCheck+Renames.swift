import GraphQLSchema

extension ConfigurationCheck {
  mutating func checkRenames() {
    for (coordinate, name) in configuration.rename.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      if !Identifier.isSwiftName(name.value) {
        report.error(
          "InvalidSwiftName", "\(quoted(name.value)) cannot be a name in Swift.",
          at: name.position)
      }
      if case .type(let type) = coordinate, case .scalar? = schema.types[type] {
        report.error(
          "RenamedScalar", "The scalar \(quoted(type)) has no type of its own in Swift.",
          at: name.position, suggestion: "Set its Swift type with `scalars`.")
      }
      if let (missing, others) = firstMissing(of: coordinate) {
        report.error(
          "UnknownElement", "There is no \(quoted(coordinate.description)) in the schema.",
          at: name.position,
          suggestion: didYouMean(missing.description, among: others.map(\.description)))
      }
    }
  }

  /// The part of a coordinate that the schema does not have, from its left, and the elements that
  /// it has instead; nil if the schema has an element with this coordinate.
  private func firstMissing(
    of coordinate: SchemaCoordinate
  ) -> (missing: SchemaCoordinate, others: [SchemaCoordinate])? {
    let (parent, names, wanted): (SchemaCoordinate?, [String]?, (String) -> SchemaCoordinate)
    switch coordinate {
    case .type:
      (parent, names, wanted) = (nil, schema.types.elements.map(\.name), { .type($0) })
    case .member(let type, _):
      parent = .type(type)
      names = schema.types[type]?.elementNames
      wanted = { .member(type: type, name: $0) }
    case .argument(let type, let field, _):
      parent = .member(type: type, name: field)
      names = schema.types[type]?.fields?[field]?.arguments.elements.map(\.name)
      wanted = { .argument(type: type, field: field, name: $0) }
    case .directive:
      (parent, names, wanted) = (nil, schema.directives.elements.map(\.name), { .directive($0) })
    case .directiveArgument(let directive, _):
      parent = .directive(directive)
      names = schema.directives[directive]?.arguments.elements.map(\.name)
      wanted = { .directiveArgument(directive: directive, name: $0) }
    }
    guard let names else { return parent.flatMap(firstMissing) ?? (coordinate, []) }
    let others = names.map(wanted)
    return others.contains(coordinate) ? nil : (coordinate, others)
  }
}

extension NamedType {
  /// The names of fields or enum values.
  fileprivate var elementNames: [String] {
    if case .enum(let type) = self { type.values.elements.map(\.name) } else { memberNames }
  }
}
