import GraphJSON

extension GraphQL {
  /// A document without the values of its variables.
  package struct DocumentTemplate: Sendable {
    package struct Variable: Sendable {
      package let name: String
      let type: String
      package let defaultValue: TemplateValue?
    }

    package struct Fragment: Sendable {
      package let name: String
      package let typeName: String
      package let selections: [TemplateSelection]
    }

    /// nil if the document consists of fragments.
    package var kind: OperationType?
    /// The name of the operation, or of the first fragment.
    package var name = ""
    package var variables: [Variable] = []
    package var selections: [TemplateSelection] = []
    /// In the order of the document.
    package var fragments: [Fragment] = []
  }

  package enum TemplateSelection: Sendable {
    case field(TemplateField)
    case inlineFragment(typeName: String?, [TemplateDirective], [TemplateSelection])
    case spread(name: String, [TemplateDirective])
  }

  package struct TemplateField: Sendable {
    package let responseName: String
    package let name: String
    package let arguments: [TemplateArgument]
    package let directives: [TemplateDirective]
    package let selections: [TemplateSelection]?
  }

  package struct TemplateArgument: Sendable {
    package let name: String
    package let value: TemplateValue
  }

  package struct TemplateDirective: Sendable {
    package let name: String
    package let arguments: [TemplateArgument]

    /// Whether it decides if the selection is in the response.
    var isCondition: Bool { name == "include" || name == "skip" }
  }

  /// A value in a document; enum values are strings, as in JSON.
  package indirect enum TemplateValue: Sendable {
    case json(JSON)
    case variable(String)
    case list([TemplateValue])
    case object([TemplateArgument])

    /// The value with the values of variables; nil if a variable without a value decides it
    /// (specification: 6.4.1 Coercing Field Arguments, 3.10 Input Objects).
    package func json(_ variables: (String) -> JSON?) -> JSON? {
      switch self {
      case .json(let json): json
      case .variable(let name): variables(name)
      case .list(let elements): .array(elements.map { $0.json(variables) ?? .null })
      case .object(let fields):
        .object(
          JSON.Object(
            fields.compactMap { field in
              field.value.json(variables).map { JSON.Object.Member(key: field.name, value: $0) }
            }))
      }
    }
  }
}

extension GraphQL.DocumentTemplate {
  /// The selection sets of the document with the values of its variables.
  ///
  /// There are three uses: `DocumentVariant` has only the values of conditions, and all responses with them share
  /// its plans; `DocumentUse` has all values, and reads objects as a fragment; `TypedSelection` has all
  /// values of one operation, for storing its response.
  ///
  /// - Parameters:
  ///   - variables: the values that are sent.
  ///   - problem: the problem with the value for an argument of a type; nil if there is none.
  func frozen(
    in schema: GraphQL.SchemaTable,
    problem: ((GraphQL.TemplateValue, GraphQL.TypeReference) -> String?)? = nil,
    variables: @escaping (String) -> JSON?
  ) -> GraphQL.FrozenDocument {
    let defaults = Dictionary(
      self.variables.map { ($0.name, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
    var freezer = Freezer(document: self, schema: schema, problem: problem) { name in
      variables(name) ?? defaults[name].flatMap { $0?.json { _ in nil } }
    }
    for fragment in fragments { _ = freezer.fragment(fragment.name) }
    let root = kind.flatMap(schema.root)
    return GraphQL.FrozenDocument(
      selectionSet: kind == nil ? nil : freezer.set(selections, of: root),
      fragments: fragments.compactMap { freezer.fragments[$0.name] }, problems: freezer.problems)
  }

  private struct Freezer {
    let document: GraphQL.DocumentTemplate
    let schema: GraphQL.SchemaTable
    let variables: (String) -> JSON?
    var fragments: [String: GraphQL.FragmentDefinition] = [:]
    private let problem: ((GraphQL.TemplateValue, GraphQL.TypeReference) -> String?)?
    private(set) var problems: [GraphQL.InvalidQuery.Problem] = []
    private var path: [String] = []

    init(
      document: GraphQL.DocumentTemplate, schema: GraphQL.SchemaTable,
      problem: ((GraphQL.TemplateValue, GraphQL.TypeReference) -> String?)?,
      variables: @escaping (String) -> JSON?
    ) {
      self.document = document
      self.schema = schema
      self.problem = problem
      self.variables = variables
    }

    mutating func fragment(_ name: String) -> GraphQL.FragmentDefinition {
      if let known = fragments[name] { return known }
      guard let template = document.fragments.first(where: { $0.name == name }) else {
        preconditionFailure("a typed operation lacks the fragment \(name); generate the code again")
      }
      let type = schema.type(named: template.typeName)
      let outer = path
      path = ["...\(name)"]
      defer { path = outer }
      let fragment = GraphQL.FragmentDefinition(
        name: name, schema: schema, type: type, selectionSet: set(template.selections, of: type),
        problems: [])
      fragments[name] = fragment
      return fragment
    }

    mutating func set(
      _ selections: [GraphQL.TemplateSelection], of type: GraphQL.TypeInfo?
    ) -> GraphQL.SelectionSet {
      var entries: [GraphQL.SelectionSet.Entry] = []
      entries.reserveCapacity(selections.count)
      for selection in selections { entries.append(entry(selection, of: type)) }
      return GraphQL.SelectionSet(type: type, entries: entries)
    }

    private mutating func entry(
      _ selection: GraphQL.TemplateSelection, of type: GraphQL.TypeInfo?
    ) -> GraphQL.SelectionSet.Entry {
      switch selection {
      case .field(let field):
        let info = type?.field(field.name)
        path.append(field.responseName)
        defer { path.removeLast() }
        let below = field.selections.map {
          set($0, of: info.flatMap { schema.type(of: $0) })
        }
        return .field(
          GraphQL.SelectionSet.Field(
            responseName: field.responseName, name: field.name,
            arguments: arguments(field.arguments) { info?.argument($0) },
            directives: directives(field.directives), info: info, selectionSet: below))
      case .inlineFragment(let typeName, let applied, let selections):
        let condition = typeName.flatMap { schema.type(named: $0) } ?? type
        return .inlineFragment(
          type: typeName ?? type?.name ?? "", directives: directives(applied),
          set(selections, of: condition))
      case .spread(let name, let applied):
        return .spread(fragment(name), directives: directives(applied))
      }
    }

    private mutating func directives(
      _ templates: [GraphQL.TemplateDirective]
    ) -> [GraphQL.AppliedDirective] {
      var directives: [GraphQL.AppliedDirective] = []
      directives.reserveCapacity(templates.count)
      for template in templates {
        let arguments = arguments(template.arguments) { [schema] name in
          template.isCondition
            ? GraphQL.ArgumentInfo.condition
            : schema.directive(template.name)?.first { $0.name == name }
        }
        directives.append(GraphQL.AppliedDirective(name: template.name, arguments: arguments))
      }
      return directives
    }

    private mutating func arguments(
      _ templates: [GraphQL.TemplateArgument], info: (String) -> GraphQL.ArgumentInfo?
    ) -> [GraphQL.Argument] {
      if let problem {
        for template in templates {
          guard let type = info(template.name)?.type, let problem = problem(template.value, type)
          else { continue }
          let message = "argument `\(template.name)`: \(problem)"
          problems.append(GraphQL.InvalidQuery.Problem(message: message, path: path))
        }
      }
      return templates.compactMap { template in
        template.value.json(variables).map { json in
          // Conditions are read as Swift values.
          if case .bool(let value) = json {
            GraphQL.Argument(name: template.name, value: value)
          } else {
            GraphQL.Argument(name: template.name, value: json)
          }
        }
      }
    }
  }
}

extension GraphQL {
  /// The selections of a document.
  struct FrozenDocument: Sendable {
    /// nil for a document of fragments.
    let selectionSet: SelectionSet?
    let fragments: [FragmentDefinition]
    /// Those of the values of variables.
    let problems: [InvalidQuery.Problem]
  }
}

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
