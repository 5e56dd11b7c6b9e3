import GraphQLSchema

extension SchemaComparison {
  /// Directive definitions (section 3.13).
  mutating func compareDirectives() {
    compare(old.directives, new.directives) { comparison, pair in
      switch pair {
      case .removed(let directive):
        comparison.add(
          .breaking, .directiveRemoved, at: .directive(directive.name),
          "The directive was removed.")
      case .added(let directive):
        comparison.add(
          .safe, .directiveAdded, at: .directive(directive.name), "The directive was added.")
      case .kept(let old, let new): comparison.compare(old, new)
      }
    }
  }

  private mutating func compare(_ old: DirectiveDefinition, _ new: DirectiveDefinition) {
    let coordinate = SchemaCoordinate.directive(old.name)
    compareDescriptions(old.description, new.description, at: coordinate)
    if old.isRepeatable != new.isRepeatable {
      add(
        old.isRepeatable ? .breaking : .safe, .directiveRepeatabilityChanged, at: coordinate,
        new.isRepeatable
          ? "It can be applied more than once now." : "It can be applied only once now.")
    }
    for location in old.locations where !new.locations.contains(location) {
      add(
        .breaking, .directiveLocationRemoved, at: coordinate, subject: location.rawValue,
        "It can no longer be applied at \(location.rawValue).")
    }
    for location in new.locations where !old.locations.contains(location) {
      add(
        .safe, .directiveLocationAdded, at: coordinate, subject: location.rawValue,
        "It can be applied at \(location.rawValue) now.")
    }
    compareInputValues(old.arguments, new.arguments, as: .argument) {
      .directiveArgument(directive: old.name, name: $0)
    }
  }
}
