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
