import GraphQLSchema

extension OperationsPipeline {
  /// The Swift properties of what the documents select. Faulty documents have none.
  ///
  /// - Parameters: As for `run`.
  package func properties(
    _ schema: ServiceSchema, documents: [Source], imported: [Module] = []
  ) -> SelectedProperties {
    var program = ProgramDocuments.read(
      documents, imported: imported, schema: schema, configuration: configuration)
    let (completed, input) = prepare(
      &program, schema: schema, selection(of: schema), schemaModule: nil)
    return SelectedProperties(of: Array(completed.documents.joined()), ProgramPlanner(input))
  }
}

/// The names of the properties with which Swift reads what documents select.
package struct SelectedProperties {
  /// A selection in a definition.
  package struct Place: Hashable {
    /// The type of the operation or fragment.
    let definition: String
    /// The response names of the fields around the selection.
    var path: [String] = []
    var selection = Selection.field("")
  }

  enum Selection: Hashable {
    /// A field, by its response name.
    case field(String)
    /// A named fragment.
    case fragment(String)
  }

  /// Structs of one object with different type conditions can have different names.
  private var names: [Place: Set<String>] = [:]

  /// - Parameter definitions: completed, as the planner's fragments.
  init(of definitions: [Document.Definition], _ program: ProgramPlanner) {
    for definition in definitions {
      guard let place = Self.place(of: definition),
        let view = try? Self.view(of: definition, program)
      else { continue }
      add(view, at: place, program)
    }
  }

  /// The place of a field in the selection set of an operation or fragment; nil if the operation has no name.
  package static func place(of definition: Document.Definition) -> Place? {
    switch definition {
    case .operation(let operation):
      DefinitionNames.type(of: operation).map { Place(definition: $0) }
    case .fragment(let fragment):
      Place(definition: DefinitionNames.type(ofFragment: fragment.name))
    default: nil
    }
  }

  private static func view(
    of definition: Document.Definition, _ program: ProgramPlanner
  ) throws(ViewBuilder.TooMany) -> View? {
    switch definition {
    case .operation(let operation):
      guard let root = program.schema.rootType(for: operation.operationType) else { return nil }
      return try program.view(of: operation.selectionSet, on: .object(root))
    case .fragment(let fragment): return try program.view(ofFragment: fragment.name)
    default: return nil
    }
  }

  private mutating func add(_ view: View, at place: Place, _ program: ProgramPlanner) {
    // Only the names of types depend on those that are taken.
    let properties = MemberNames(view, program: program, types: NameScope()).properties
    for (slot, entry) in view.entries.enumerated() where entry.isReadable {
      switch entry.kind {
      case .field(let field):
        if let name = properties[slot] { names[place.field(field.key), default: []].insert(name) }
        if let child = entry.child { add(child, at: place.inside(field.key), program) }
      case .fragment(let fragment, isCertain: _):
        if let name = properties[slot] {
          names[place.fragment(fragment), default: []].insert(name)
        }
      // The fields are those of the same object.
      case .condition, .deferred, .unknownField:
        if let child = entry.child { add(child, at: place, program) }
      }
    }
  }

  /// Empty if the selection has no property.
  package subscript(place: Place) -> Set<String> { names[place] ?? [] }
}

extension SelectedProperties.Place {
  /// A field of the same object.
  package func field(_ responseName: String) -> Self {
    Self(definition: definition, path: path, selection: .field(responseName))
  }

  /// A fragment of the same object.
  package func fragment(_ name: String) -> Self {
    Self(definition: definition, path: path, selection: .fragment(name))
  }

  /// The place of a field in the object of a field.
  package func inside(_ responseName: String) -> Self {
    Self(definition: definition, path: path + [responseName])
  }
}
