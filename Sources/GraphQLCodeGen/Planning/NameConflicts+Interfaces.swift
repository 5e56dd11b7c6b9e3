import GraphQLSchema

extension NameConflicts {
  /// A property of an interface's protocol is also one of the types that implement the interface. One
  /// of the type's own hides it, and must read the same field. Otherwise it must be the only one of its
  /// name, or hide the others.
  mutating func checkInterfaces(of schema: SelectedSchema) {
    for type in schema.types {
      guard let fields = type.fields, let interfaces = type.interfaces else { continue }
      var own: [String: FieldDefinition] = [:]
      for field in fields.elements {
        own[names[.member(type: type.name, name: field.name)]] = field
      }
      var inherited: [String: [Inherited]] = [:]
      var swiftNames: [String] = []
      for name in interfaces.elements {
        guard case .interface(let interface)? = schema.typesByName[name.name] else { continue }
        for field in interface.fields.elements {
          let property = Inherited(interface: interface, field: field)
          let swiftName = names[property.element.coordinate]
          guard let other = own[swiftName] else {
            if inherited[swiftName] == nil { swiftNames.append(swiftName) }
            inherited[swiftName, default: []].append(property)
            continue
          }
          if other.name == field.name { continue }
          report(
            property.element,
            conflictsWith: Element(other) { .member(type: type.name, name: $0) })
        }
      }
      for name in swiftNames { check(inherited[name] ?? [], of: type.name) }
    }
  }

  /// Checks properties of one name, which a type inherits from its interfaces.
  private mutating func check(_ properties: [Inherited], of type: String) {
    guard properties.count > 1 else { return }
    let hides = properties.contains { property in
      properties.allSatisfy { $0.isHidden(by: property) }
    }
    if hides { return }
    let first = properties[0]
    let other = properties.first { !$0.isHidden(by: first) && !first.isHidden(by: $0) }
    report((other ?? properties[1]).element, conflictsWith: first.element, in: type)
  }

  /// The property of an interface's protocol.
  private struct Inherited {
    let interface: InterfaceType
    let field: FieldDefinition

    var element: Element { Element(field) { .member(type: interface.name, name: $0) } }

    /// Whether the other one reads the same field, and is of the same or a refining protocol.
    func isHidden(by other: Inherited) -> Bool {
      field.name == other.field.name
        && (interface.name == other.interface.name
          || other.interface.interfaces.contains(name: interface.name))
    }
  }
}
