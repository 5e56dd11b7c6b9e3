import GraphQLSchema

extension Planner {
  /// The lines of the schema table: the roots, then the types by name, then the directives, then the costs.
  ///
  /// The text contains only names, numbers and the punctuation of types.
  var table: [String] {
    let roots: [OperationType] = [.query, .mutation, .subscription]
    var lines = [">" + roots.map { schema.roots[$0] ?? "-" }.joined(separator: " ")]
    for type in schema.types { append(type, to: &lines) }
    for directive in schema.directives {
      var line: SourceText = "%\(directive.name)"
      append(directive.arguments.elements, to: &line)
      lines.append(line.string)
    }
    return lines + costs
  }

  private func append(_ type: NamedType, to lines: inout [String]) {
    switch type {
    case .object(let object):
      lines.append(
        words(["@" + object.name] + sortedNames(object.interfaces) + attributes(of: object)))
      append(object.fields.elements, to: &lines)
    case .interface(let interface):
      lines.append(words(["&" + interface.name] + sortedNames(interface.interfaces)))
      append(interface.fields.elements, to: &lines)
    case .union(let union):
      lines.append(words(["|" + union.name] + sortedNames(union.members)))
    case .enum(let type): lines.append("=" + type.name)
    case .inputObject(let input):
      lines.append((input.isOneOf ? "<!" : "<") + input.name)
      for field in input.fields.elements {
        var line: SourceText = ""
        append(field, separator: " ", to: &line)
        lines.append(line.string)
      }
    case .scalar(let scalar):
      lines.append(
        words(["$" + scalar.name] + [types.builtInScalars[scalar.name]].compactMap(\.self)))
    }
  }

  private func sortedNames(_ names: NamedList<TypeName>) -> [String] {
    names.elements.map(\.name).sorted()
  }

  private func append(_ fields: [FieldDefinition], to lines: inout [String]) {
    // By position, which copies no definition.
    for position in fields.indices {
      var line: SourceText = "\(fields[position].name)"
      append(fields[position].arguments.elements, to: &line)
      line.append(" ")
      line.append(fields[position].type)
      lines.append(line.string)
    }
  }

  private func append(_ arguments: [InputValueDefinition], to line: inout SourceText) {
    for position in arguments.indices {
      line.append(position == 0 ? "(" : " ")
      append(arguments[position], separator: ":", to: &line)
    }
    if !arguments.isEmpty { line.append(")") }
  }

  /// The name of an input value and its type, with an equals sign if there is a default.
  private func append(
    _ value: InputValueDefinition, separator: StaticString, to line: inout SourceText
  ) {
    line.append(name: value.name)
    line.append(separator)
    line.append(value.type)
    if value.defaultValue != nil { line.append("=") }
  }

  private func words(_ words: [String]) -> String {
    words.joined(separator: " ")
  }

  /// The policy for types that are not named. It applies to objects with a key, as others are parts
  /// of the objects that lead to them, and not to the roots, which contain no user's data.
  private func defaultPolicy(of object: ObjectType) -> TypePolicy? {
    guard let policy = configuration.types[TypePolicy.others]?.value, object.hasDefaultKey,
      !schema.roots.values.contains(object.name)
    else { return nil }
    return policy
  }

  /// The store's attributes of an object type, as `name:value`.
  private func attributes(of object: ObjectType) -> [String] {
    guard let policy = configuration.types[object.name]?.value ?? defaultPolicy(of: object) else {
      return object.hasDefaultKey ? ["key:id"] : []
    }
    let key = policy.key ?? (object.hasDefaultKey ? ["id"] : [])
    var attributes: [String] = []
    if !key.isEmpty { attributes.append("key:" + key.joined(separator: ",")) }
    if let persistence = policy.policy { attributes.append("policy:" + persistence.rawValue) }
    if let maxAge = policy.maxAge { attributes.append("maxAge:\(maxAge)") }
    if let version = policy.version { attributes.append("version:" + version) }
    for rule in [TypePolicy.DeleteRule.cascade, .deny, .noAction] {
      let fields = policy.delete.filter { $0.value == rule }.keys.sorted()
      if !fields.isEmpty {
        attributes.append("\(rule.rawValue):" + fields.joined(separator: ","))
      }
    }
    if let referrers = policy.referrers { attributes.append("referrers:" + referrers.rawValue) }
    for (attribute, rule) in [
      ("append", TypePolicy.ListRule.append), ("deleteOld", .replaceDeletingOld),
    ] {
      let fields = policy.lists.filter { $0.value == rule }.keys.sorted()
      if !fields.isEmpty { attributes.append("\(attribute):" + fields.joined(separator: ",")) }
    }
    if !policy.queryable.isEmpty {
      attributes.append("queryable:" + policy.queryable.joined(separator: ","))
    }
    if !policy.inverses.isEmpty {
      let pairs = policy.inverses.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      attributes.append("inverses:" + pairs.joined(separator: ","))
    }
    if !policy.supportedOperations.isEmpty {
      attributes.append("operations:" + policy.supportedOperations.joined(separator: ","))
    }
    return attributes
  }
}

extension ObjectType {
  /// Whether objects are identified by a field `id: ID!`.
  var hasDefaultKey: Bool {
    fields["id"].map { $0.type == .nonNull(.named("ID")) && !$0.requiresArguments } ?? false
  }
}

extension FieldDefinition {
  /// Whether the field cannot be selected by its name alone.
  var requiresArguments: Bool { arguments.contains(where: \.isRequired) }
}

extension SourceText {
  /// The type in a document's syntax. Limited by its depth.
  mutating func append(_ type: TypeReference) {
    switch type {
    case .named(let name): append(name: name)
    case .list(let item):
      append("[")
      append(item)
      append("]")
    case .nonNull(let inner):
      append(inner)
      append("!")
    }
  }
}

extension Planner {
  /// A line for each definition with `@cost` or `@listSize`
  /// (https://ibm.github.io/graphql-specs/cost-spec.html), so none for most schemas.
  ///
  /// A weight that is not a number is left out, since its meaning is known only to the service.
  var costs: [String] {
    var lines: [String] = []
    for type in schema.types {
      append(type.directives, of: type.name, to: &lines)
      switch type {
      case .object(let object): append(object.fields.elements, of: object.name, to: &lines)
      case .interface(let interface):
        append(interface.fields.elements, of: interface.name, to: &lines)
      case .inputObject(let input):
        for field in input.fields.elements {
          append(field.directives, of: "\(input.name).\(field.name)", to: &lines)
        }
      case .union, .enum, .scalar: break
      }
    }
    for directive in schema.directives {
      append(directive.arguments.elements, of: "@\(directive.name)", to: &lines)
    }
    return lines
  }

  private func append(
    _ fields: [FieldDefinition], of type: String, to lines: inout [String]
  ) {
    // By position, which copies no definition.
    for position in fields.indices {
      let arguments = fields[position].arguments.elements
      if fields[position].directives.isEmpty,
        arguments.allSatisfy(\.directives.isEmpty)
      {
        continue
      }
      let coordinate = "\(type).\(fields[position].name)"
      append(
        fields[position].directives, arguments: arguments, of: coordinate, to: &lines)
      append(arguments, of: coordinate, to: &lines)
    }
  }

  private func append(
    _ arguments: [InputValueDefinition], of owner: String, to lines: inout [String]
  ) {
    for argument in arguments where !argument.directives.isEmpty {
      append(argument.directives, of: "\(owner)(\(argument.name):)", to: &lines)
    }
  }

  private func append(
    _ directives: [Document.Directive], arguments: [InputValueDefinition] = [],
    of coordinate: String, to lines: inout [String]
  ) {
    guard !directives.isEmpty else { return }
    var words = ["*" + coordinate]
    for directive in directives {
      switch directive.name {
      case "cost":
        if let weight = directive.argument("weight")?.weight { words.append(weight) }
      case "listSize": words += sizes(directive, arguments)
      default: break
      }
    }
    if words.count > 1 { lines.append(words.joined(separator: " ")) }
  }

  private func sizes(
    _ directive: Document.Directive, _ arguments: [InputValueDefinition]
  ) -> [String] {
    var words: [String] = []
    let slicing = directive.argument("slicingArguments")?.names ?? []
    if !slicing.isEmpty {
      let list = slicing.map { name in
        let value = arguments.first { $0.name == name }?.defaultValue?.weight
        return value.map { "\(name)=\($0)" } ?? name
      }
      words.append("by:" + list.joined(separator: ","))
    }
    // Hot Chocolate states the size without a slicing argument apart from the largest one.
    let size =
      directive.argument("slicingArgumentDefaultValue")?.weight
      ?? directive.argument("assumedSize")?.weight
    if let size { words.append("size:" + size) }
    let sized = directive.argument("sizedFields")?.names ?? []
    if !sized.isEmpty { words.append("of:" + sized.joined(separator: ",")) }
    return words
  }
}

extension Document.Value {
  /// A number, which the specification writes as a string, and Apollo's router as a number.
  fileprivate var weight: String? {
    let text: String
    switch kind {
    case .int(let digits), .float(let digits), .string(let digits): text = digits
    default: return nil
    }
    guard let number = Double(text), abs(number) <= 1e12 else { return nil }
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  /// The names in a list, or one name without a list. A name may have those of fields of input
  /// objects after it, separated by dots.
  fileprivate var names: [String] {
    let values = if case .list(let items) = kind { items } else { [self] }
    return values.compactMap { value in
      guard case .string(let name) = value.kind, !name.isEmpty,
        name.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || isNameContinue($0) })
      else { return nil }
      return name
    }
  }
}
