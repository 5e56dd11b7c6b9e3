extension TypeSystemValidator {
  /// Objects, interfaces and input objects have fields (sections 3.6, 3.7, 3.10).
  mutating func fieldsNonEmpty() {
    for type in schema.types.elements {
      let isEmpty: Bool
      switch type {
      case .object(let object): isEmpty = object.fields.isEmpty
      case .interface(let interface): isEmpty = interface.fields.isEmpty
      case .inputObject(let input): isEmpty = input.fields.isEmpty
      case .scalar, .union, .enum: continue
      }
      guard isEmpty else { continue }
      diagnostics.add(
        "FieldsNonEmpty", "\(quoted(type.name)) must have at least one field.", at: type.nameRange)
    }
  }

  /// The types of fields are defined and are output types (sections 3.4.2, 3.6, 3.7).
  mutating func outputFieldTypes() {
    for members in fields {
      for position in members.indices {
        check(
          members.elements[position].type, at: members.elements[position].typeRange,
          of: members.coordinate(at: position), "OutputFieldTypes", \.isOutputType,
          "an output type")
      }
    }
  }

  /// The types of arguments and input fields are defined and are input types (sections 3.4.2, 3.6,
  /// 3.10, 3.13).
  mutating func inputValueTypes() {
    for members in inputValues {
      // A subgraph of a federation imports types such as federation__FieldSet with `@link`.
      let knownTypes = isForSchemas(members.owner) ? "DirectiveArgumentTypes" : "KnownTypes"
      for position in members.indices {
        check(
          members.elements[position].type, at: members.elements[position].typeRange,
          of: members.coordinate(at: position), "InputValueTypes", knownTypes: knownTypes,
          \.isInputType, "an input type")
      }
    }
  }

  /// Required arguments and input fields are not deprecated (sections 3.6, 3.10, 3.13.3).
  mutating func requiredNotDeprecated() {
    for members in inputValues {
      for position in members.indices where members.elements[position].isRequired {
        guard let directive = members.elements[position].directives["deprecated"] else { continue }
        let name = members.coordinate(at: position).description
        diagnostics.add(
          "RequiredNotDeprecated",
          "\(quoted(name)) is required, so it cannot be deprecated.",
          at: directive.range, suggestion: "Make its type nullable, or give it a default value.")
      }
    }
  }

  /// Default values have their type (sections 3.6, 3.10).
  mutating func defaultValues() {
    for members in inputValues {
      for position in members.indices {
        guard let defaultValue = members.elements[position].defaultValue else { continue }
        var checker = ValueChecker(schema: schema)
        checker.check(defaultValue, as: members.elements[position].type)
        for problem in checker.problems {
          let name = members.coordinate(at: position).description
          diagnostics.add(
            "DefaultValues", "The default value of \(quoted(name)) is invalid: \(problem.message)",
            at: problem.range, suggestion: problem.suggestion())
        }
      }
    }
  }

  /// Whether the members are arguments of a directive that no document applies.
  private func isForSchemas(_ owner: Owner) -> Bool {
    guard case .directive(let name) = owner, let directive = schema.directives[name] else {
      return false
    }
    return !directive.locations.contains(where: \.isExecutable)
  }

  private mutating func check(
    _ reference: TypeReference, at range: SourceRange,
    of coordinate: @autoclosure () -> SchemaCoordinate,
    _ rule: String, knownTypes: String = "KnownTypes",
    _ isAllowed: (NamedType) -> Bool, _ wanted: String
  ) {
    let name = reference.namedType
    guard let type = schema.type(named: name) else {
      return reportUnknownType(name, at: range, as: knownTypes, isAllowed)
    }
    if isAllowed(type) { return }
    diagnostics.add(
      rule,
      "The type of \(quoted(coordinate().description)) must be \(wanted); \(quoted(name)) is "
        + "\(type.kind.phrase).",
      at: range)
  }

  mutating func reportUnknownType(
    _ name: String, at range: SourceRange, as rule: String = "KnownTypes",
    _ isCandidate: (NamedType) -> Bool
  ) {
    let schema = schema
    func candidates() -> [String] {
      (schema.types.elements + BuiltIn.types.elements.prefix { !$0.name.hasPrefix("__") })
        .filter(isCandidate).map(\.name)
    }
    diagnostics.add(
      rule, "Unknown type \(quoted(name)).", at: range,
      suggestion: didYouMean(name, among: candidates()))
  }
}

extension TypeSystemValidator {
  /// A union has members; they are unique object types (section 3.8).
  mutating func unionMembers() {
    for case .union(let union) in schema.types.elements {
      if union.members.isEmpty {
        diagnostics.add(
          "MembersNonEmpty", "\(quoted(union.name)) must have at least one member.",
          at: union.nameRange)
      }
      reportDuplicates("member", union.members, of: union.name, code: "UnionMembers")
      for member in union.members.elements {
        guard let type = schema.type(named: member.name) else {
          reportUnknownType(member.name, at: member.range) { $0.kind == .object }
          continue
        }
        if type.kind == .object { continue }
        diagnostics.add(
          "UnionMembers",
          "The members of \(quoted(union.name)) must be object types; \(quoted(member.name)) is "
            + "\(type.kind.phrase).",
          at: member.range)
      }
    }
  }

  /// An enum has values, none of them called `true`, `false` or `null` (section 3.9).
  mutating func enumValueNames() {
    for case .enum(let enumType) in schema.types.elements {
      if enumType.values.isEmpty {
        diagnostics.add(
          "ValuesNonEmpty", "\(quoted(enumType.name)) must have at least one value.",
          at: enumType.nameRange)
      }
      for value in enumType.values.elements
      where value.name == "true" || value.name == "false" || value.name == "null" {
        diagnostics.add(
          "EnumValueNames",
          "\(quoted(enumType.name)) cannot have a value \(quoted(value.name)).",
          at: value.nameRange)
      }
    }
  }
}

extension TypeSystemValidator {
  /// The owners of members: a type of its fields, a field or a directive of its arguments.
  enum Owner {
    case type(String)
    case field(type: String, name: String)
    case directive(String)

    /// The name of a member within the schema.
    func coordinate(of name: String) -> SchemaCoordinate {
      switch self {
      case .type(let type): .member(type: type, name: name)
      case .field(let type, let field): .argument(type: type, field: field, name: name)
      case .directive(let directive): .directiveArgument(directive: directive, name: name)
      }
    }
  }

  /// The members of one owner. The rules visit them by position, which copies only the parts that
  /// they need: a member has a dozen references.
  struct Members<Element> {
    let owner: Owner
    let elements: [Element]

    var indices: Range<Int> { elements.indices }
  }
}

extension TypeSystemValidator.Members where Element: NamedElement {
  func coordinate(at position: Int) -> SchemaCoordinate {
    owner.coordinate(of: elements[position].name)
  }
}

extension TypeSystemValidator {
  /// The interfaces of a type are defined and are interfaces (sections 3.6, 3.7).
  mutating func interfacesAreInterfaces() {
    for type in schema.types.elements {
      for interface in type.interfaces?.elements ?? [] {
        guard let target = schema.type(named: interface.name) else {
          reportUnknownType(interface.name, at: interface.range) { $0.kind == .interface }
          continue
        }
        if target.kind == .interface { continue }
        diagnostics.add(
          "InterfacesAreInterfaces",
          "\(quoted(type.name)) cannot implement \(quoted(interface.name)): "
            + "it is \(target.kind.phrase).",
          at: interface.range)
      }
    }
  }

  /// A type implements each interface once (sections 3.6, 3.7).
  mutating func uniqueInterfaces() {
    for type in schema.types.elements {
      guard let interfaces = type.interfaces else { continue }
      reportDuplicates("interface", interfaces, of: type.name, code: "UniqueInterfaces")
    }
  }

  /// An interface does not implement itself, also not through others (section 3.7). Because of
  /// `transitiveInterfaces`, only the direct declaration has to be checked.
  mutating func interfacesWithoutCycles() {
    for case .interface(let type) in schema.types.elements {
      for interface in type.interfaces.elements {
        if interface.name == type.name {
          diagnostics.add(
            "InterfacesWithoutCycles", "\(quoted(type.name)) cannot implement itself.",
            at: interface.range)
        } else if schema.types[interface.name]?.interfaces?.contains(name: type.name) == true {
          diagnostics.add(
            "InterfacesWithoutCycles",
            "\(quoted(type.name)) cannot implement \(quoted(interface.name)), which implements it.",
            at: interface.range)
        }
      }
    }
  }

  /// A type declares the interfaces of its interfaces, too (section 3.6 IsValidImplementation 1).
  mutating func transitiveInterfaces() {
    for type in schema.types.elements {
      guard let interfaces = type.interfaces else { continue }
      for interface in interfaces.elements {
        for inherited in schema.types[interface.name]?.interfaces?.elements ?? []
        where !interfaces.contains(name: inherited.name) && inherited.name != type.name {
          diagnostics.add(
            "TransitiveInterfaces",
            "\(quoted(type.name)) must also implement \(quoted(inherited.name)), because "
              + "\(quoted(interface.name)) does.",
            at: interface.range, notes: [("It is declared here.", inherited.range)])
        }
      }
    }
  }

  /// A type has the fields of its interfaces (section 3.6 IsValidImplementation 2).
  mutating func implementedFields() {
    for type in schema.types.elements {
      guard let fields = type.fields, let interfaces = type.interfaces else { continue }
      for interface in interfaces.elements where interface.name != type.name {
        guard case .interface(let target)? = schema.types[interface.name] else { continue }
        for wanted in target.fields.elements {
          guard let field = fields[wanted.name] else {
            diagnostics.add(
              "ImplementedFields",
              "\(quoted(type.name)) must have the field \(quoted(wanted.name)) of its interface "
                + "\(quoted(target.name)).",
              at: type.nameRange,
              suggestion: didYouMean(wanted.name, among: fields.lazy.map(\.name)),
              notes: [("The interface's field is here.", wanted.nameRange)])
            continue
          }
          let pair = Implementation(
            type: type.name, field: field, interface: target.name, wanted: wanted)
          implementedFieldType(pair)
          implementedArguments(pair)
          additionalArguments(pair)
          implementedDeprecation(pair)
        }
      }
    }
  }
}

extension TypeSystemValidator {
  /// A field and the interface's field that it implements.
  struct Implementation {
    let type: String
    let field: FieldDefinition
    let interface: String
    let wanted: FieldDefinition

    var coordinate: String { "\(type).\(field.name)" }
    var wantedCoordinate: String { "\(interface).\(wanted.name)" }
  }

  /// The field's type is the interface's or stricter (section 3.6 IsValidImplementation 2.5).
  mutating func implementedFieldType(_ pair: Implementation) {
    if schema.isSubtype(pair.field.type, of: pair.wanted.type) { return }
    // Undefined types are reported by another rule.
    guard schema.namedType(of: pair.field.type) != nil,
      schema.namedType(of: pair.wanted.type) != nil
    else { return }
    diagnostics.add(
      "ImplementedFieldType",
      "The type of \(quoted(pair.coordinate)) must be a subtype of "
        + "\(quoted(pair.wanted.type.description)), which is the type of "
        + "\(quoted(pair.wantedCoordinate)); it is \(quoted(pair.field.type.description)).",
      at: pair.field.typeRange, notes: [("The interface's field is here.", pair.wanted.typeRange)])
  }

  /// The field has the interface's arguments with the same types (section 3.6
  /// IsValidImplementation 2.3).
  mutating func implementedArguments(_ pair: Implementation) {
    for wanted in pair.wanted.arguments.elements {
      guard let argument = pair.field.arguments[wanted.name] else {
        diagnostics.add(
          "ImplementedArguments",
          "\(quoted(pair.coordinate)) must have the argument \(quoted(wanted.name)) of "
            + "\(quoted(pair.wantedCoordinate)).",
          at: pair.field.nameRange,
          suggestion: didYouMean(wanted.name, among: pair.field.arguments.lazy.map(\.name)),
          notes: [("The interface's argument is here.", wanted.nameRange)])
        continue
      }
      if argument.type == wanted.type { continue }
      diagnostics.add(
        "ImplementedArguments",
        "The type of \(quoted("\(pair.coordinate)(\(argument.name):)")) must be "
          + "\(quoted(wanted.type.description)), as in \(quoted(pair.wantedCoordinate)); it is "
          + "\(quoted(argument.type.description)).",
        at: argument.typeRange, notes: [("The interface's argument is here.", wanted.typeRange)])
    }
  }

  /// Arguments that the interface's field does not have are not required (section 3.6
  /// IsValidImplementation 2.4).
  mutating func additionalArguments(_ pair: Implementation) {
    for argument in pair.field.arguments.elements
    where argument.isRequired && !pair.wanted.arguments.contains(name: argument.name) {
      diagnostics.add(
        "AdditionalArguments",
        "\(quoted("\(pair.coordinate)(\(argument.name):)")) must not be required, because "
          + "\(quoted(pair.wantedCoordinate)) does not have it.",
        at: argument.nameRange, suggestion: "Make its type nullable, or give it a default value.",
        notes: [("The interface's field is here.", pair.wanted.nameRange)])
    }
  }

  /// A field is deprecated only if the interface's field is (section 3.6 IsValidImplementation
  /// 2.6, new in the edition of September 2025).
  mutating func implementedDeprecation(_ pair: Implementation) {
    guard let directive = pair.field.directives["deprecated"],
      pair.wanted.directives["deprecated"] == nil
    else { return }
    diagnostics.add(
      "ImplementedDeprecation",
      "\(quoted(pair.coordinate)) cannot be deprecated, because \(quoted(pair.wantedCoordinate)) "
        + "is not.",
      at: directive.range,
      notes: [("The interface's field is here.", pair.wanted.nameRange)])
  }
}

extension TypeSystemValidator {
  /// The fields of a `@oneOf` input object are nullable and have no default values (section 3.10).
  mutating func oneOfFields() {
    for case .inputObject(let input) in schema.types.elements where input.isOneOf {
      for field in input.fields.elements {
        let coordinate = quoted("\(input.name).\(field.name)")
        if field.type.isNonNull {
          diagnostics.add(
            "OneOfFields", "\(coordinate) must be nullable, because its type is \"@oneOf\".",
            at: field.typeRange)
        }
        if let defaultValue = field.defaultValue {
          diagnostics.add(
            "OneOfFields",
            "\(coordinate) cannot have a default value, because its type is \"@oneOf\".",
            at: defaultValue.range)
        }
      }
    }
  }

  /// An input object does not contain itself through fields that are all non-null and not lists
  /// (section 3.10, Circular References).
  mutating func inputObjectCycles() {
    let inputs = inputObjects
    let graph = DirectedGraph(
      successors: inputs.types.map { input in
        input.fields.elements.compactMap { requiredInputObject($0).flatMap { inputs.index[$0] } }
      })
    for component in graph.cyclicComponents() {
      let cycle = graph.cycle(in: component)
      var path: [FieldDefinitionPlace] = []
      for (position, index) in cycle.enumerated() {
        let next = inputs.types[cycle[(position + 1) % cycle.count]].name
        guard
          let field = inputs.types[index].fields.elements.first(where: {
            requiredInputObject($0) == next
          })
        else { continue }
        path.append(FieldDefinitionPlace(name: field.name, range: field.nameRange))
      }
      guard let first = path.first else { continue }
      let name = inputs.types[cycle[0]].name
      let shown = path.prefix(8).map(\.name).joined(separator: ".")
      diagnostics.add(
        "InputObjectCycles",
        "\(quoted(name)) cannot have a finite value: it contains itself through the non-null fields "
          + "\(quoted(path.count > 8 ? shown + "…" : shown)).",
        at: first.range, suggestion: "Make one of the fields nullable, or a list.",
        notes: path.dropFirst().prefix(8).map { ("The cycle goes through here.", $0.range) })
    }
  }

  /// A `@oneOf` input object can have a value: at least one of its fields leads out of every cycle
  /// of references (section 3.10).
  mutating func oneOfInhabitable() {
    let inputs = inputObjects
    // The number of fields that an input object still needs: each non-null one, or any one of
    // `@oneOf`.
    var pending: [Int] = []
    var waiting: [[Int]] = Array(repeating: [], count: inputs.types.count)
    var ready: [Int] = []
    for (index, input) in inputs.types.enumerated() {
      let targets = input.fields.elements.map { field in
        input.isOneOf
          ? inputs.index[singularName(field.type.nullable) ?? ""]
          : requiredInputObject(field).flatMap { inputs.index[$0] }
      }
      let awaited = targets.compactMap { $0 }
      pending.append(
        input.isOneOf ? (awaited.count < targets.count || targets.isEmpty ? 0 : 1) : awaited.count)
      for target in awaited { waiting[target].append(index) }
      if pending[index] == 0 { ready.append(index) }
    }
    while let index = ready.popLast() {
      for dependent in waiting[index] where pending[dependent] > 0 {
        pending[dependent] -= 1
        if pending[dependent] == 0 { ready.append(dependent) }
      }
    }
    for (index, input) in inputs.types.enumerated() where pending[index] > 0 && input.isOneOf {
      diagnostics.add(
        "OneOfInhabitable",
        "\(quoted(input.name)) cannot have a finite value: each of its fields leads back to itself.",
        at: input.nameRange, suggestion: "Add a field of another type, or make one a list.")
    }
  }

  private struct FieldDefinitionPlace {
    let name: String
    let range: SourceRange
  }

  var inputObjects: (types: [InputObjectType], index: [String: Int]) {
    var types: [InputObjectType] = []
    var index: [String: Int] = [:]
    for case .inputObject(let input) in schema.types.elements {
      index[input.name] = types.count
      types.append(input)
    }
    return (types, index)
  }

  /// The type's name if a value of it is required: non-null and not a list.
  private func requiredInputObject(_ field: InputValueDefinition) -> String? {
    field.type.isNonNull ? singularName(field.type.nullable) : nil
  }

  private func singularName(_ type: TypeReference) -> String? {
    if case .named(let name) = type { name } else { nil }
  }
}

extension TypeSystemValidator {
  /// Default values of input fields do not contain themselves (section 3.10
  /// InputObjectDefaultValueHasCycle): completing `{}` with defaults terminates.
  mutating func defaultValueCycles() {
    var nodes:
      [(coordinate: SchemaCoordinate, field: InputValueDefinition, value: Document.Value)] = []
    var index: [SchemaCoordinate: Int] = [:]
    for case .inputObject(let input) in schema.types.elements {
      for field in input.fields.elements {
        guard let value = field.defaultValue else { continue }
        let coordinate = SchemaCoordinate.member(type: input.name, name: field.name)
        index[coordinate] = nodes.count
        nodes.append((coordinate, field, value))
      }
    }
    let graph = DirectedGraph(
      successors: nodes.map { node in
        var uses: [SchemaCoordinate] = []
        collectDefaults(of: node.value, as: node.field.type, into: &uses)
        return uses.compactMap { index[$0] }
      })
    for component in graph.cyclicComponents() {
      let cycle = graph.cycle(in: component).map { nodes[$0] }
      diagnostics.add(
        "DefaultValueCycles",
        "The default value of \(quoted(cycle[0].coordinate.description)) contains itself.",
        at: cycle[0].value.range,
        notes: cycle.dropFirst().prefix(8).map {
          ("Through the default value of \(quoted($0.coordinate.description)).", $0.value.range)
        })
    }
  }

  /// The input fields whose default values a value includes. Limited by the depth of the value.
  private func collectDefaults(
    of value: Document.Value, as type: TypeReference, into uses: inout [SchemaCoordinate]
  ) {
    if case .list(let items) = value.kind {
      let itemType = type.itemType ?? type
      for item in items { collectDefaults(of: item, as: itemType, into: &uses) }
    }
    guard case .object(let entries) = value.kind,
      case .inputObject(let input)? = schema.types[type.namedType]
    else { return }
    let given = NamedList(entries)
    for field in input.fields.elements {
      if let entry = given[field.name] {
        collectDefaults(of: entry.value, as: field.type, into: &uses)
      } else if field.defaultValue != nil {
        uses.append(.member(type: input.name, name: field.name))
      }
    }
  }
}

/// Nodes by number, for finding circular references. Nothing here is recursive, as the input
/// determines the length of chains.
struct DirectedGraph {
  let successors: [[Int]]

  /// Groups of nodes that can all reach each other, and single nodes that follow themselves
  /// (Tarjan's strongly connected components), each sorted, in the order of their first nodes.
  func cyclicComponents() -> [[Int]] {
    let unvisited = -1
    var order = Array(repeating: unvisited, count: successors.count)
    var lowest = order
    var isOpen = Array(repeating: false, count: successors.count)
    var open: [Int] = []
    var path: [(node: Int, next: Int)] = []
    var visitedCount = 0
    var components: [[Int]] = []

    for root in successors.indices where order[root] == unvisited {
      path.append((root, 0))
      while let (node, next) = path.last {
        if next == 0 {
          order[node] = visitedCount
          lowest[node] = visitedCount
          visitedCount += 1
          open.append(node)
          isOpen[node] = true
        }
        if next < successors[node].count {
          path[path.count - 1].next += 1
          let successor = successors[node][next]
          if order[successor] == unvisited {
            path.append((successor, 0))
          } else if isOpen[successor] {
            lowest[node] = min(lowest[node], order[successor])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
        guard lowest[node] == order[node] else { continue }
        var component: [Int] = []
        repeat {
          let member = open.removeLast()
          isOpen[member] = false
          component.append(member)
        } while component.last != node
        if component.count > 1 || successors[node].contains(node) {
          components.append(component.sorted())
        }
      }
    }
    return components.sorted { $0[0] < $1[0] }
  }

  /// A shortest way from a component's first node back to it, without the return.
  func cycle(in component: [Int]) -> [Int] {
    let start = component[0]
    let members = Set(component)
    var cameFrom: [Int: Int] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
      let node = queue[position]
      position += 1
      for successor in successors[node] where members.contains(successor) {
        if successor == start {
          var way = [node]
          while let last = way.last, last != start, let previous = cameFrom[last] {
            way.append(previous)
          }
          return way.reversed()
        }
        if cameFrom[successor] == nil {
          cameFrom[successor] = node
          queue.append(successor)
        }
      }
    }
    return component
  }
}
