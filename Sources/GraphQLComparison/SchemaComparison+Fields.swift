import GraphQLSchema

extension SchemaComparison {
  /// The fields of an object or interface type.
  mutating func compareFields(
    _ old: NamedList<FieldDefinition>, _ new: NamedList<FieldDefinition>, of type: String
  ) {
    compare(old, new) { comparison, pair in
      switch pair {
      case .removed(let field):
        comparison.add(
          .breaking, .fieldRemoved, at: .member(type: type, name: field.name),
          "The field was removed.")
      case .added(let field):
        comparison.add(
          .safe, .fieldAdded, at: .member(type: type, name: field.name), "The field was added.")
      case .kept(let before, let after): comparison.compare(before, after, of: type)
      }
    }
  }

  private mutating func compare(_ old: FieldDefinition, _ new: FieldDefinition, of type: String) {
    let coordinate = SchemaCoordinate.member(type: type, name: old.name)
    compareDescriptions(old.description, new.description, at: coordinate)
    compareDeprecations(old.deprecationReason, new.deprecationReason, at: coordinate)
    if old.type != new.type {
      // A client reads the server's values: a stricter type keeps the older one's guarantee.
      add(
        new.type.isAsStrict(as: old.type) ? .safe : .breaking, .fieldTypeChanged, at: coordinate,
        "Its type was changed from \(old.type) to \(new.type).")
    }
    compareInputValues(old.arguments, new.arguments, as: .argument) {
      .argument(type: type, field: old.name, name: $0)
    }
  }
}

extension TypeReference {
  /// Whether this type only adds non-nulls.
  func isAsStrict(as other: TypeReference) -> Bool {
    var (type, other) = (self, other)
    while true {
      switch (type, other) {
      case (.nonNull(let inner), .nonNull(let otherInner)): (type, other) = (inner, otherInner)
      case (.nonNull(let inner), _): type = inner
      case (.list(let item), .list(let otherItem)): (type, other) = (item, otherItem)
      case (.named(let name), .named(let otherName)): return name == otherName
      default: return false
      }
    }
  }
}
