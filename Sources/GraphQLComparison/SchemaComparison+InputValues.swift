import GraphQLSchema

extension SchemaComparison {
  /// The owner of a list of input values.
  enum InputValueRole {
    case argument, inputField

    var added: SchemaChange.Kind { self == .argument ? .argumentAdded : .inputFieldAdded }
    var removed: SchemaChange.Kind { self == .argument ? .argumentRemoved : .inputFieldRemoved }
    var typeChanged: SchemaChange.Kind {
      self == .argument ? .argumentTypeChanged : .inputFieldTypeChanged
    }
    var defaultChanged: SchemaChange.Kind {
      self == .argument ? .argumentDefaultChanged : .inputFieldDefaultChanged
    }
    var noun: String { self == .argument ? "argument" : "input field" }
  }

  /// The arguments of a field or directive, or the fields of an input object.
  mutating func compareInputValues(
    _ old: NamedList<InputValueDefinition>, _ new: NamedList<InputValueDefinition>,
    as role: InputValueRole, at coordinate: (String) -> SchemaCoordinate
  ) {
    compare(old, new) { comparison, pair in
      switch pair {
      case .removed(let value):
        comparison.add(
          .breaking, role.removed, at: coordinate(value.name), "The \(role.noun) was removed.")
      case .added(let value) where value.isRequired:
        comparison.add(
          .breaking, role.added, at: coordinate(value.name),
          "The \(role.noun) was added, and it is required.")
      case .added(let value):
        comparison.add(
          .dangerous, role.added, at: coordinate(value.name),
          "The \(role.noun) was added, and it is optional.")
      case .kept(let before, let after):
        comparison.compare(before, after, as: role, at: coordinate(before.name))
      }
    }
  }

  private mutating func compare(
    _ old: InputValueDefinition, _ new: InputValueDefinition, as role: InputValueRole,
    at coordinate: SchemaCoordinate
  ) {
    compareDescriptions(old.description, new.description, at: coordinate)
    compareDeprecations(old.deprecationReason, new.deprecationReason, at: coordinate)
    if old.type != new.type {
      // A server reads a client's values: a laxer type accepts all values of the older one.
      add(
        old.type.isAsStrict(as: new.type) ? .safe : .breaking, role.typeChanged, at: coordinate,
        "Its type was changed from \(old.type) to \(new.type).")
    }
    compareDefaults(old, new, as: role, at: coordinate)
  }

  /// Default values (section 3.6.1). A client that leaves out the value gets another one, or an
  /// error if the type is non-null and there is no default any more.
  private mutating func compareDefaults(
    _ old: InputValueDefinition, _ new: InputValueDefinition, as role: InputValueRole,
    at coordinate: SchemaCoordinate
  ) {
    switch (old.defaultValue, new.defaultValue) {
    case (let before?, nil):
      add(
        new.isRequired ? .breaking : .dangerous, role.defaultChanged, at: coordinate,
        "Its default value \(before.shown) was removed"
          + (new.isRequired ? ", and it is required now." : "."))
    case (nil, let after?):
      add(
        old.isRequired ? .safe : .dangerous, role.defaultChanged, at: coordinate,
        "It has a default value now: \(after.shown).")
    case (let before?, let after?) where !before.isSame(as: after):
      add(
        .dangerous, role.defaultChanged, at: coordinate,
        "Its default value was changed from \(before.shown) to \(after.shown).")
    default: break
    }
  }
}

extension Document.Value {
  /// The value in a document's syntax, suitable for a message: in backticks, shortened, safe to
  /// print.
  fileprivate var shown: String {
    let limit = 60
    let text = escaped(description)
    return text.count > limit ? "`\(text.prefix(limit))…`" : "`\(text)`"
  }

  /// Whether both are the same value; the fields of an input object have no order (section 2.10.8).
  fileprivate func isSame(as other: Document.Value) -> Bool {
    self == other || sorted == other.sorted
  }

  /// The value with the fields of input objects by name. The parser limits the nesting.
  private var sorted: Document.Value {
    switch kind {
    case .list(let items): .list(items.map(\.sorted))
    case .object(let fields):
      .object(
        fields.map { Document.ObjectField(name: $0.name, value: $0.value.sorted) }
          .sorted { $0.name < $1.name })
    default: self
    }
  }
}
