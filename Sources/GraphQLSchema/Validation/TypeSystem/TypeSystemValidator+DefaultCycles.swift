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
