import GraphJSON

extension IntrospectionReader {
  /// A named type (section 4.2.2); nil for built-in scalars and introspection's own types.
  mutating func namedType(_ node: IntrospectionNode) -> NamedType? {
    guard let name = name(of: node, "type") else { return nil }
    if name.hasPrefix("__") { return nil }
    guard let kind = knownKind(node) else { return nil }
    if kind == .scalar, BuiltIn.isScalar(name) { return nil }
    let description = text(node, "description")
    let nameSpan = span(of: node["name"] ?? node)
    let span = span(of: node)
    switch kind {
    case .scalar:
      return .scalar(
        ScalarType(
          description: description, name: name, directives: specification(node),
          nameSpan: nameSpan, span: span))
    case .object:
      return .object(
        ObjectType(
          description: description, name: name, interfaces: typeNames(node, "interfaces"),
          fields: fields(node, name), nameSpan: nameSpan, span: span))
    case .interface:
      return .interface(
        InterfaceType(
          description: description, name: name, interfaces: typeNames(node, "interfaces"),
          fields: fields(node, name), nameSpan: nameSpan, span: span))
    case .union:
      return .union(
        UnionType(
          description: description, name: name, members: typeNames(node, "possibleTypes"),
          nameSpan: nameSpan, span: span))
    case .enum:
      return .enum(
        EnumType(
          description: description, name: name, values: enumValues(node), nameSpan: nameSpan,
          span: span))
    case .inputObject:
      return .inputObject(
        InputObjectType(
          description: description, name: name,
          fields: inputValues(node, "inputFields", "input field") { "\(name).\($0)" },
          directives: oneOf(node), nameSpan: nameSpan, span: span))
    }
  }

  /// `specifiedByURL`, or `specifiedByUrl` as drafts of the edition of 2021 spelt it.
  private mutating func specification(_ node: IntrospectionNode) -> [Document.Directive] {
    for key: StaticString in ["specifiedByURL", "specifiedByUrl"] {
      guard let url = text(node, key), let place = node[key] else { continue }
      return [directive("specifiedBy", "url", url, span(of: place))]
    }
    return []
  }

  private func oneOf(_ node: IntrospectionNode) -> [Document.Directive] {
    guard let flag = node["isOneOf"], flag.bool == true else { return [] }
    return [Document.Directive(name: "oneOf", nameSpan: span(of: flag), span: span(of: flag))]
  }

  private mutating func typeNames(_ node: IntrospectionNode, _ key: StaticString) -> NamedList<
    TypeName
  > {
    var names: [TypeName] = []
    for reference in elements(of: node, key) {
      guard let name = name(of: reference, "type reference") else { continue }
      names.append(TypeName(name, span: span(of: reference["name"] ?? reference)))
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
      guard let (type, typeSpan) = typeReference(field, "\(owner).\(name)") else { continue }
      fields.append(
        FieldDefinition(
          description: text(field, "description"), name: name,
          arguments: inputValues(field, "args", "argument") { "\(owner).\(name)(\($0):)" },
          type: type,
          directives: deprecation(field), nameSpan: span(of: field["name"] ?? field),
          typeSpan: typeSpan, span: span(of: field)))
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
        let (type, typeSpan) = typeReference(value, coordinate(name))
      else { continue }
      values.append(
        InputValueDefinition(
          description: text(value, "description"), name: name, type: type,
          defaultValue: defaultValue(value, coordinate(name)), directives: deprecation(value),
          nameSpan: span(of: value["name"] ?? value), typeSpan: typeSpan, span: span(of: value)))
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
          nameSpan: span(of: value["name"] ?? value), span: span(of: value)))
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
      nameSpan: span(of: node["name"] ?? node), span: span(of: node))
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
