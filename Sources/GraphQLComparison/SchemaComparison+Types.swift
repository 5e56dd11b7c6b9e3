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
