import GraphQLSchema

/// Compares two schemas, one kind of element per function.
struct SchemaComparison {
  let old: ServiceSchema
  let new: ServiceSchema
  private(set) var changes: [SchemaChange] = []

  init(old: ServiceSchema, new: ServiceSchema) {
    self.old = old
    self.new = new
  }

  mutating func run() {
    compareDescriptions(old.description, new.description, at: nil)
    compareRootTypes()
    compare(old.types, new.types) { comparison, pair in
      switch pair {
      case .removed(let type):
        comparison.add(.breaking, .typeRemoved, at: .type(type.name), "The type was removed.")
      case .added(let type):
        comparison.add(.safe, .typeAdded, at: .type(type.name), "The type was added.")
      case .kept(let old, let new): comparison.compare(old, new)
      }
    }
    compareDirectives()
  }

  mutating func add(
    _ severity: SchemaChange.Severity, _ kind: SchemaChange.Kind, at coordinate: SchemaCoordinate?,
    subject: String? = nil, _ message: String
  ) {
    changes.append(SchemaChange(severity, kind, at: coordinate, subject: subject, message))
  }

  // MARK: Lists

  /// An element of either list, or of both.
  enum Pair<Element> {
    case removed(Element)
    case added(Element)
    case kept(Element, Element)
  }

  /// Visits the elements of two lists, paired by name.
  mutating func compare<Element>(
    _ old: NamedList<Element>, _ new: NamedList<Element>,
    _ visit: (inout SchemaComparison, Pair<Element>) -> Void
  ) {
    for element in old.elements {
      visit(&self, new[element.name].map { .kept(element, $0) } ?? .removed(element))
    }
    for element in new.elements where !old.contains(name: element.name) {
      visit(&self, .added(element))
    }
  }

  // MARK: What many elements have

  mutating func compareDescriptions(
    _ old: String?, _ new: String?, at coordinate: SchemaCoordinate?
  ) {
    guard old != new else { return }
    let verb = old == nil ? "added" : new == nil ? "removed" : "changed"
    add(.safe, .descriptionChanged, at: coordinate, "The description was \(verb).")
  }

  /// The reasons, which are free text, stay out of the message.
  mutating func compareDeprecations(
    _ old: String?, _ new: String?, at coordinate: SchemaCoordinate
  ) {
    switch (old, new) {
    case (nil, _?): add(.safe, .deprecationAdded, at: coordinate, "It is deprecated now.")
    case (_?, nil):
      add(.safe, .deprecationRemoved, at: coordinate, "It is no longer deprecated.")
    case (let old?, let new?) where old != new:
      add(
        .safe, .deprecationReasonChanged, at: coordinate,
        "The reason for its deprecation was changed.")
    default: break
    }
  }

  // MARK: Root types

  /// The root operation types (section 3.3.1).
  private mutating func compareRootTypes() {
    for operation in OperationType.allCases {
      let name = operation.rawValue
      switch (old.rootType(for: operation)?.name, new.rootType(for: operation)?.name) {
      case (let type?, nil):
        add(
          .breaking, .rootTypeRemoved, at: nil, subject: name,
          "The root type of \(operation.plural), \(type), was removed.")
      case (nil, let type?):
        add(
          .safe, .rootTypeAdded, at: nil, subject: name,
          "A root type of \(operation.plural) was added: \(type).")
      case (let before?, let after?) where before != after:
        add(
          .breaking, .rootTypeChanged, at: nil, subject: name,
          "The root type of \(operation.plural) was changed from \(before) to \(after).")
      default: break
      }
    }
  }
}

extension OperationType {
  fileprivate var plural: String {
    switch self {
    case .query: "queries"
    case .mutation: "mutations"
    case .subscription: "subscriptions"
    }
  }
}

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
