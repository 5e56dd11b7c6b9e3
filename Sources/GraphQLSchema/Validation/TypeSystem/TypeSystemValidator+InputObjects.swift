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
