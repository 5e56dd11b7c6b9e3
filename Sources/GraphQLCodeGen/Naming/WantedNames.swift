package import GraphQLSchema

/// The Swift names that a configuration gives to the elements of a schema, before keywords and the
/// names of generated code are avoided.
package struct WantedNames {
  private let style: Configuration.Naming
  private let conversion: CaseConversion
  private let renames: [SchemaCoordinate: String]

  package init(_ configuration: Configuration) {
    style = configuration.naming
    conversion = CaseConversion(acronyms: Set(configuration.acronyms))
    renames = configuration.rename.mapValues(\.value)
  }

  package subscript(coordinate: SchemaCoordinate) -> String {
    // Hashing each coordinate would be measurable, and most configurations rename nothing.
    if !renames.isEmpty, let name = renames[coordinate] { return name }
    switch (style, coordinate) {
    case (.asWritten, _): return coordinate.name
    case (.camelCase, .type(let name)): return conversion.type(name)
    case (.camelCase, _): return conversion.member(coordinate.name)
    }
  }
}

extension SchemaCoordinate {
  /// The last name of the coordinate: that of the element.
  fileprivate var name: String {
    switch self {
    case .type(let name), .member(_, let name), .argument(_, _, let name), .directive(let name),
      .directiveArgument(_, let name):
      name
    }
  }
}
