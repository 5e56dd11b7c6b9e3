import GraphJSON

extension GraphQL {
  /// An operation of which only the text is left, for example after a restart of the program.
  package struct StoredDocument {
    package let template: DocumentTemplate

    /// - Returns: nil if the text has another form than the runtime and the generator write.
    package init?(_ text: String) {
      guard let template = DocumentReader.read(text), template.kind != nil else { return nil }
      self.template = template
    }

    /// The places of an argument in one root field.
    package struct ArgumentPlaces {
      /// The variables that are the argument, or a field with its name in an input object of the document.
      package fileprivate(set) var variables: [String] = []
      /// The variables of the field's other arguments, whose values may contain fields with its name.
      package fileprivate(set) var containers: [String] = []
      /// All arguments of the field.
      fileprivate let arguments: [TemplateArgument]

      /// Whether a value of the field's arguments is the text `key`, or contains it.
      package func mentions(_ key: String, in variables: JSON) -> Bool {
        arguments.contains { argument in
          argument.value.json { variables[$0] }?.contains(text: key) ?? false
        }
      }
    }

    /// The places of an argument, or of a field of input objects, in each of the root fields.
    package func places(ofArgument name: String) -> [ArgumentPlaces] {
      var visited: Set<String> = []
      return rootFields(template.selections, &visited).map { field in
        var places = ArgumentPlaces(arguments: field.arguments)
        for argument in field.arguments { places.add(argument, name) }
        return places
      }
    }

    private func rootFields(
      _ selections: [TemplateSelection], _ visited: inout Set<String>
    ) -> [TemplateField] {
      var fields: [TemplateField] = []
      for selection in selections {
        switch selection {
        case .field(let field): fields.append(field)
        case .inlineFragment(_, _, let below): fields += rootFields(below, &visited)
        case .spread(let name, _):
          guard visited.insert(name).inserted,
            let fragment = template.fragments.first(where: { $0.name == name })
          else { continue }
          fields += rootFields(fragment.selections, &visited)
        }
      }
      return fields
    }

    /// The selections with the values of variables; nil if the schema does not have all of their fields and types.
    func selections(in schema: SchemaTable, variables: JSON) -> SelectionSet? {
      let names = Set(template.fragments.map(\.name))
      guard template.spreads.isSubset(of: names), !template.hasCycle else { return nil }
      let frozen = template.frozen(in: schema) { variables[$0] }
      guard let set = frozen.selectionSet else { return nil }
      var walk = SelectionWalk()
      let hasUnknown = walk.contains(
        set, type: { schema.type(named: $0) == nil },
        field: { $0.name != "__typename" && $0.info == nil })
      return hasUnknown || set.type == nil ? nil : set
    }
  }
}

extension GraphQL.StoredDocument.ArgumentPlaces {
  fileprivate mutating func add(_ argument: GraphQL.TemplateArgument, _ name: String) {
    switch argument.value {
    case .variable(let variable):
      if argument.name == name { variables.append(variable) } else { containers.append(variable) }
    case .object(let fields): for field in fields { add(field, name) }
    case .list(let elements):
      for element in elements { add(GraphQL.TemplateArgument(name: "", value: element), name) }
    case .json: break
    }
  }
}

extension GraphQL.DocumentTemplate {
  fileprivate var spreads: Set<String> {
    Set((fragments.map(\.selections) + [selections]).flatMap(spreads))
  }

  /// Whether a fragment spreads itself, directly or through others.
  fileprivate var hasCycle: Bool {
    let targets = Dictionary(
      fragments.map { ($0.name, spreads($0.selections)) }, uniquingKeysWith: { first, _ in first })
    var finished: Set<String> = []
    func leadsToItself(_ name: String, _ path: Set<String>) -> Bool {
      if path.contains(name) { return true }
      if finished.contains(name) { return false }
      defer { finished.insert(name) }
      return (targets[name] ?? []).contains { leadsToItself($0, path.union([name])) }
    }
    return fragments.contains { leadsToItself($0.name, []) }
  }

  private func spreads(_ selections: [GraphQL.TemplateSelection]) -> [String] {
    selections.flatMap { selection in
      switch selection {
      case .field(let field): spreads(field.selections ?? [])
      case .inlineFragment(_, _, let below): spreads(below)
      case .spread(let name, _): [name]
      }
    }
  }
}

extension JSON {
  /// Whether the value is a text, or contains it. The recursion is as deep as the value, which the parser limits.
  fileprivate func contains(text: String) -> Bool {
    switch self {
    case .string(let value): ExactKey(value) == ExactKey(text)
    case .array(let elements): elements.contains { $0.contains(text: text) }
    case .object(let object): object.members.contains { $0.value.contains(text: text) }
    default: false
    }
  }
}
