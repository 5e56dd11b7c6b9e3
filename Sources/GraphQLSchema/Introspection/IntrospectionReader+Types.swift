import GraphJSON

extension IntrospectionReader {
  /// A named type (section 4.2.2); nil for built-in scalars and introspection's own types.
  mutating func namedType(_ node: IntrospectionNode) -> NamedType? {
    guard let name = name(of: node, "type") else { return nil }
    if BuiltIn.isIntrospection(name) { return nil }
    guard let kind = knownKind(node) else {
      if !BuiltIn.isScalar(name) { unknownKinds.types.insert(name) }
      return nil
    }
    if kind == .scalar, BuiltIn.isScalar(name) { return nil }
    let description = text(node, "description")
    let nameRange = range(of: node["name"] ?? node)
    let range = range(of: node)
    switch kind {
    case .scalar:
      return .scalar(
        ScalarType(
          description: description, name: name, directives: specification(node),
          nameRange: nameRange, range: range))
    case .object:
      return .object(
        ObjectType(
          description: description, name: name, interfaces: typeNames(node, "interfaces"),
          fields: fields(node, name), nameRange: nameRange, range: range))
    case .interface:
      return .interface(
        InterfaceType(
          description: description, name: name, interfaces: typeNames(node, "interfaces"),
          fields: fields(node, name), nameRange: nameRange, range: range))
    case .union:
      return .union(
        UnionType(
          description: description, name: name, members: typeNames(node, "possibleTypes"),
          nameRange: nameRange, range: range))
    case .enum:
      return .enum(
        EnumType(
          description: description, name: name, values: enumValues(node), nameRange: nameRange,
          range: range))
    case .inputObject:
      return .inputObject(
        InputObjectType(
          description: description, name: name,
          fields: inputValues(node, "inputFields", "input field") { "\(name).\($0)" },
          directives: oneOf(node), nameRange: nameRange, range: range))
    }
  }

  /// `specifiedByURL`, or `specifiedByUrl` as drafts of the edition of 2021 spelt it.
  private mutating func specification(_ node: IntrospectionNode) -> [Document.Directive] {
    for key: StaticString in ["specifiedByURL", "specifiedByUrl"] {
      guard let url = text(node, key), let place = node[key] else { continue }
      return [directive("specifiedBy", "url", url, range(of: place))]
    }
    return []
  }

  private func oneOf(_ node: IntrospectionNode) -> [Document.Directive] {
    guard let flag = node["isOneOf"], flag.bool == true else { return [] }
    return [Document.Directive(name: "oneOf", nameRange: range(of: flag), range: range(of: flag))]
  }

  private mutating func typeNames(_ node: IntrospectionNode, _ key: StaticString) -> NamedList<
    TypeName
  > {
    var names: [TypeName] = []
    for reference in elements(of: node, key) {
      guard let name = name(of: reference, "type reference") else { continue }
      let range = range(of: reference["name"] ?? reference)
      if let kind = reference["kind"], kind.kind == .string, TypeKind(kind) == nil {
        unknownKinds.references.insert(range.start)
      }
      names.append(TypeName(name, range: range))
    }
    return NamedList(names)
  }

  private mutating func fields(_ node: IntrospectionNode, _ owner: String) -> NamedList<
    FieldDefinition
  > {
    var fields: [FieldDefinition] = []
    let elements = elements(of: node, "fields")
    fields.reserveCapacity(elements.count)
    for field in elements {
      guard let name = name(of: field, "field") else { continue }
      guard let (type, typeRange) = typeReference(field, "\(owner).\(name)") else { continue }
      fields.append(
        FieldDefinition(
          description: text(field, "description"), name: name,
          arguments: inputValues(field, "args", "argument") { "\(owner).\(name)(\($0):)" },
          type: type,
          directives: deprecation(field), nameRange: range(of: field["name"] ?? field),
          typeRange: typeRange, range: range(of: field)))
    }
    return NamedList(fields)
  }

  private mutating func inputValues(
    _ node: IntrospectionNode, _ key: StaticString, _ what: String, _ coordinate: (String) -> String
  ) -> NamedList<InputValueDefinition> {
    var values: [InputValueDefinition] = []
    let elements = elements(of: node, key)
    values.reserveCapacity(elements.count)
    for value in elements {
      guard let name = name(of: value, what),
        let (type, typeRange) = typeReference(value, coordinate(name))
      else { continue }
      values.append(
        InputValueDefinition(
          description: text(value, "description"), name: name, type: type,
          defaultValue: defaultValue(value, of: type, coordinate(name)),
          directives: deprecation(value),
          nameRange: range(of: value["name"] ?? value), typeRange: typeRange,
          range: range(of: value)))
    }
    return NamedList(values)
  }

  private mutating func enumValues(_ node: IntrospectionNode) -> NamedList<EnumValueDefinition> {
    var values: [EnumValueDefinition] = []
    let elements = elements(of: node, "enumValues")
    values.reserveCapacity(elements.count)
    for value in elements {
      guard let name = name(of: value, "enum value") else { continue }
      values.append(
        EnumValueDefinition(
          description: text(value, "description"), name: name, directives: deprecation(value),
          nameRange: range(of: value["name"] ?? value), range: range(of: value)))
    }
    return NamedList(values)
  }

  /// A directive (section 4.2.6).
  mutating func directiveDefinition(_ node: IntrospectionNode) -> DirectiveDefinition? {
    guard let name = name(of: node, "directive") else { return nil }
    return DirectiveDefinition(
      description: text(node, "description"), name: name,
      arguments: inputValues(node, "args", "argument") { "@\(name)(\($0):)" },
      isRepeatable: node["isRepeatable"]?.bool ?? false, locations: locations(node),
      nameRange: range(of: node["name"] ?? node), range: range(of: node))
  }

  /// The locations; unknown ones of later editions are skipped. Services of 2015 and 2016 have
  /// three flags instead.
  private mutating func locations(_ node: IntrospectionNode) -> [DirectiveLocation] {
    if node["locations"] != nil {
      return elements(of: node, "locations").compactMap {
        $0.string.flatMap(DirectiveLocation.init)
      }
    }
    var locations: [DirectiveLocation] = []
    if node["onOperation"]?.bool == true { locations += [.query, .mutation, .subscription] }
    if node["onField"]?.bool == true { locations.append(.field) }
    if node["onFragment"]?.bool == true {
      locations += [.fragmentDefinition, .fragmentSpread, .inlineFragment]
    }
    return locations
  }
}
