/// A type system: named types, directives and root operation types (section 3.3).
///
/// Immutable. The public initialisers only return schemas that satisfy every rule of chapter 3. So
/// every name in a schema refers to an existing type, but its kind has to be checked.
public final class ServiceSchema: Sendable {
  /// The description, directives and root operation types, with all extensions merged in.
  public let definition: SchemaDefinition
  /// The types that the sources define, in the order of their definitions, with extensions merged
  /// in. Without the built-in scalars and the types of introspection.
  public let types: NamedList<NamedType>
  /// The directives that the sources define, in the order of their definitions, without built-in
  /// ones.
  public let directives: NamedList<DirectiveDefinition>
  /// The sources to which the ranges of the definitions refer.
  public let sources: [Source]
  /// Findings that a strict reading of the specification forbids but existing services contain. After
  /// many, the last element is a note of how many more there are.
  public let warnings: [Diagnostic]
  /// The number of warnings by code, with those that are not listed.
  package let warningCounts: [String: Int]
  /// Names of the implementing object types by interface, in schema order.
  let implementingObjects: [String: [String]]
  /// Names of the implementing interface types by interface, in schema order.
  let implementingInterfaces: [String: [String]]

  init(
    definition: SchemaDefinition, types: NamedList<NamedType>,
    directives: NamedList<DirectiveDefinition>, sources: [Source], warnings: [Diagnostic] = [],
    warningCounts: [String: Int] = [:]
  ) {
    self.definition = definition
    self.types = types
    self.directives = directives
    self.sources = sources
    self.warnings = warnings
    self.warningCounts = warningCounts
    var objects: [String: [String]] = [:]
    var interfaces: [String: [String]] = [:]
    for type in types.elements {
      switch type {
      case .object(let object):
        for interface in object.interfaces.elements {
          objects[interface.name, default: []].append(object.name)
        }
      case .interface(let implementing):
        for interface in implementing.interfaces.elements {
          interfaces[interface.name, default: []].append(implementing.name)
        }
      default: break
      }
    }
    implementingObjects = objects
    implementingInterfaces = interfaces
  }

  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String? { definition.description }
}

extension ServiceSchema: Equatable {
  /// Whether both have the same definitions in the same order; positions do not matter.
  public static func == (lhs: ServiceSchema, rhs: ServiceSchema) -> Bool {
    lhs === rhs
      || lhs.definition == rhs.definition && lhs.types == rhs.types
        && lhs.directives == rhs.directives
  }
}
