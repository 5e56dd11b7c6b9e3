import GraphQLSchema

extension SchemaComparison {
  /// A type that both schemas have.
  mutating func compare(_ old: NamedType, _ new: NamedType) {
    let coordinate = SchemaCoordinate.type(old.name)
    compareDescriptions(old.description, new.description, at: coordinate)
    switch (old, new) {
    case (.scalar(let old), .scalar(let new)):
      if old.specifiedByURL != new.specifiedByURL {
        add(
          .dangerous, .specificationChanged, at: coordinate,
          "The URL of its specification was changed; its format may be different.")
      }
    case (.object(let old), .object(let new)):
      compareInterfaces(old.interfaces, new.interfaces, at: coordinate)
      compareFields(old.fields, new.fields, of: old.name)
    case (.interface(let old), .interface(let new)):
      compareInterfaces(old.interfaces, new.interfaces, at: coordinate)
      compareFields(old.fields, new.fields, of: old.name)
    case (.union(let old), .union(let new)):
      compareMembers(old.members, new.members, at: coordinate)
    case (.enum(let old), .enum(let new)): compareValues(old, new)
    case (.inputObject(let old), .inputObject(let new)): compare(old, new)
    default:
      add(
        .breaking, .typeKindChanged, at: coordinate,
        "It was \(old.kind.withArticle) and is \(new.kind.withArticle) now.")
    }
  }

  /// An interface that is no longer implemented breaks fragments; with a new one, values of the
  /// type may appear in additional positions.
  private mutating func compareInterfaces(
    _ old: NamedList<TypeName>, _ new: NamedList<TypeName>, at coordinate: SchemaCoordinate
  ) {
    compare(old, new) { comparison, pair in
      switch pair {
      case .removed(let interface):
        comparison.add(
          .breaking, .interfaceRemoved, at: coordinate, subject: interface.name,
          "It no longer implements \(interface.name).")
      case .added(let interface):
        comparison.add(
          .dangerous, .interfaceAdded, at: coordinate, subject: interface.name,
          "It implements \(interface.name) now.")
      case .kept: break
      }
    }
  }

  private mutating func compareMembers(
    _ old: NamedList<TypeName>, _ new: NamedList<TypeName>, at coordinate: SchemaCoordinate
  ) {
    compare(old, new) { comparison, pair in
      switch pair {
      case .removed(let member):
        comparison.add(
          .breaking, .unionMemberRemoved, at: coordinate, subject: member.name,
          "\(member.name) is no longer a member.")
      case .added(let member):
        comparison.add(
          .dangerous, .unionMemberAdded, at: coordinate, subject: member.name,
          "\(member.name) is a member now; programs must handle it.")
      case .kept: break
      }
    }
  }

  private mutating func compareValues(_ old: EnumType, _ new: EnumType) {
    compare(old.values, new.values) { comparison, pair in
      switch pair {
      case .removed(let value):
        comparison.add(
          .breaking, .enumValueRemoved, at: .member(type: old.name, name: value.name),
          "The value was removed.")
      case .added(let value):
        comparison.add(
          .dangerous, .enumValueAdded, at: .member(type: old.name, name: value.name),
          "The value was added; programs must handle it.")
      case .kept(let before, let after):
        let coordinate = SchemaCoordinate.member(type: old.name, name: before.name)
        comparison.compareDescriptions(before.description, after.description, at: coordinate)
        comparison.compareDeprecations(
          before.deprecationReason, after.deprecationReason, at: coordinate)
      }
    }
  }

  private mutating func compare(_ old: InputObjectType, _ new: InputObjectType) {
    let coordinate = SchemaCoordinate.type(old.name)
    switch (old.isOneOf, new.isOneOf) {
    case (false, true):
      add(.breaking, .oneOfAdded, at: coordinate, "Exactly one of its fields must be given now.")
    case (true, false):
      add(
        .dangerous, .oneOfRemoved, at: coordinate,
        "Any number of its fields can be given now; documents stay valid, and the generated type "
          + "changes.")
    default: break
    }
    compareInputValues(old.fields, new.fields, as: .inputField) {
      .member(type: old.name, name: $0)
    }
  }
}

extension TypeKind {
  fileprivate var withArticle: String {
    switch self {
    case .scalar: "a scalar"
    case .object: "an object type"
    case .interface: "an interface"
    case .union: "a union"
    case .enum: "an enum"
    case .inputObject: "an input object"
    }
  }
}

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
