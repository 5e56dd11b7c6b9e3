extension TypeSystemValidator {
  /// Names are valid (section 2.1.8). Only introspection results can violate this rule: in a
  /// document, an invalid name is a syntax error.
  mutating func validNames() {
    forEachName { coordinate, name, range, diagnostics in
      if isValidName(name) { return }
      diagnostics.add(
        "ValidNames", "\(quoted(name)) in \(quoted(coordinate().description)) is not a name.",
        at: range, suggestion: "Names consist of ASCII letters, digits and underscores.")
    }
  }

  /// Only introspection's own names start with two underscores (section 2.1.8). Definitions of its
  /// types, which some tools print, have their own code and are left out. Fields of objects and
  /// interfaces with its names would hide its own.
  mutating func reservedNames() {
    let schema = schema
    forEachName { coordinate, name, range, diagnostics in
      guard name.utf8.first == 0x5F, name.hasPrefix("__") else { return }
      let coordinate = coordinate()
      let code =
        if case .member(let type, _) = coordinate, BuiltIn.metaFields.contains(name),
          schema.types[type]?.fields != nil
        {
          "MetaFieldNames"
        } else if case .type = coordinate, BuiltIn.types.contains(name: name) {
          "IntrospectionTypes"
        } else {
          "ReservedNames"
        }
      diagnostics.add(
        code,
        "The name \(quoted(coordinate.description)) is reserved: it starts with two underscores.",
        at: range)
    }
  }

  private mutating func forEachName(
    _ body: (() -> SchemaCoordinate, String, SourceRange, inout DiagnosticCollector) -> Void
  ) {
    for type in schema.types.elements {
      body({ .type(type.name) }, type.name, type.nameRange, &diagnostics)
      if case .enum(let enumType) = type {
        for value in enumType.values.elements {
          body(
            { .member(type: type.name, name: value.name) }, value.name, value.nameRange,
            &diagnostics)
        }
      }
    }
    for directive in schema.directives.elements {
      body({ .directive(directive.name) }, directive.name, directive.nameRange, &diagnostics)
    }
    for members in fields { forEachName(of: members, body) }
    for members in inputValues { forEachName(of: members, body) }
  }

  private mutating func forEachName(
    of members: Members<some NamedElement>,
    _ body: (() -> SchemaCoordinate, String, SourceRange, inout DiagnosticCollector) -> Void
  ) {
    for position in members.indices {
      body(
        { members.coordinate(at: position) }, members.elements[position].name,
        members.elements[position].nameRange, &diagnostics)
    }
  }

  /// The fields of an object or interface have unique names (sections 3.6, 3.7). A field that is
  /// repeated with the same type and arguments has its own code and is left out: GitHub publishes
  /// some.
  mutating func uniqueFieldNames() {
    for type in schema.types.elements {
      guard let fields = type.fields, fields.hasDuplicates else { continue }
      var firsts: [String: FieldDefinition] = [:]
      for field in fields.elements {
        guard let first = firsts[field.name] else {
          firsts[field.name] = field
          continue
        }
        let isRepeat = first.hasSameSignature(as: field)
        if isRepeat { foundRepeatedFields = true }
        diagnostics.add(
          isRepeat ? "RepeatedFields" : "UniqueNames",
          "\(quoted(type.name)) has more than one field \(quoted(field.name)).",
          at: field.nameRange,
          notes: [("The first one is here.", first.nameRange)])
      }
    }
  }

  /// Input fields and enum values have unique names within their type (sections 3.9, 3.10).
  mutating func uniqueMemberNames() {
    for type in schema.types.elements {
      switch type {
      case .inputObject(let input): reportDuplicates("input field", input.fields, of: type.name)
      case .enum(let enumType): reportDuplicates("value", enumType.values, of: type.name)
      case .scalar, .object, .interface, .union: continue
      }
    }
  }

  /// Arguments have unique names within their field or directive (sections 3.6, 3.13).
  mutating func uniqueArgumentNames() {
    for members in fields {
      for position in members.indices where members.elements[position].arguments.hasDuplicates {
        reportDuplicates(
          "argument", members.elements[position].arguments,
          of: members.coordinate(at: position).description)
      }
    }
    for directive in schema.directives.elements {
      reportDuplicates("argument", directive.arguments, of: "@" + directive.name)
    }
  }

  mutating func reportDuplicates<Element: NamedElement>(
    _ what: String, _ list: NamedList<Element>, of owner: String, code: String = "UniqueNames"
  ) {
    guard list.hasDuplicates else { return }
    var firsts: [String: SourceRange] = [:]
    for element in list.elements {
      guard let first = firsts[element.name] else {
        firsts[element.name] = element.nameRange
        continue
      }
      diagnostics.add(
        code, "\(quoted(owner)) has more than one \(what) \(quoted(element.name)).",
        at: element.nameRange, notes: [("The first one is here.", first)])
    }
  }
}

extension FieldDefinition {
  /// Whether both have the same type and arguments, regardless of their descriptions.
  fileprivate func hasSameSignature(as other: FieldDefinition) -> Bool {
    type == other.type && arguments.count == other.arguments.count
      && zip(arguments, other.arguments).allSatisfy {
        $0.name == $1.name && $0.type == $1.type && $0.defaultValue == $1.defaultValue
      }
  }
}

/// Whether the text is a name (section 2.1.8).
// Safe: the index stays below the count of the bytes, which the string keeps valid.
func isValidName(_ name: String) -> Bool {
  var name = name
  return name.withUTF8 { bytes in
    guard let base = bytes.baseAddress, bytes.count > 0, unsafe isNameStart(base[0]) else {
      return false
    }
    var index = 1
    while index < bytes.count {
      if unsafe !isNameContinue(base[index]) { return false }
      index &+= 1
    }
    return true
  }
}
