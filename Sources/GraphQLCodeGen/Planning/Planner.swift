import GraphQLSchema

/// Decides everything: turns the selected part of a schema into a plan. A class, since it has many
/// tables and functions that are passed on capture them.
final class Planner {
  let schema: SelectedSchema
  let configuration: Configuration
  let names: TypeNames
  let wantedNames: WantedNames
  let types: TypeResolver
  let overlaps: Overlaps
  let keys: TypeKeys

  private init(schema: SelectedSchema, configuration: Configuration) {
    self.schema = schema
    self.configuration = configuration
    names = TypeNames(schema: schema, configuration: configuration)
    wantedNames = WantedNames(configuration)
    types = TypeResolver(schema: schema, configuration: configuration, names: names)
    overlaps = Overlaps(schema: schema)
    keys = TypeKeys(schema: schema, configuration: configuration)
  }

  /// The plan for a schema whose names and configuration have been checked.
  static func plan(_ schema: SelectedSchema, configuration: Configuration) -> GenerationPlan {
    Planner(schema: schema, configuration: configuration).plan
  }

  private var plan: GenerationPlan {
    var plan = GenerationPlan(
      namespace: configuration.namespace, access: configuration.access,
      classes: configuration.classes, hasBuilders: configuration.builders,
      layout: configuration.layout, importedTypes: types.importedTypes,
      documentation: Documentation(description: schema.description), roots: roots, composites: [],
      enums: [], inputs: [], oneOfs: [], directives: directives,
      hasFieldDirectives: schema.directives.contains {
        $0.locations.contains(where: \.isSelection)
      },
      scalars: types.scalars, table: table,
      hiddenStandardTypes: names.hiddenStandardTypes)
    for type in schema.types {
      switch type {
      case .scalar: break
      case .object, .interface, .union: plan.composites.append(composite(type))
      case .enum(let type): plan.enums.append(enumeration(type))
      case .inputObject(let type) where type.isOneOf: plan.oneOfs.append(oneOf(type))
      case .inputObject(let type): plan.inputs.append(inputObject(type))
      }
    }
    return plan
  }

  private var roots: [RootPlan] {
    RootPlan.Operation.allCases.compactMap { operation in
      guard
        let name = OperationType(rawValue: operation.rawValue).flatMap({ schema.roots[$0] })
      else { return nil }
      return RootPlan(
        operation: operation, queryClass: names.query(name), responseClass: names.type(name))
    }
  }
}
