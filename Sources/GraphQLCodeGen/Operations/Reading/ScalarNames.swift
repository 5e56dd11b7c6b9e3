/// The first names of the types of custom scalars, as generated code of a module spells them: modules, or types
/// without one. The documents of the module cannot have types of these names, since they would hide them.
struct ScalarNames {
  private(set) var names: Set<String> = []

  /// - Parameter schema: the types of the schema, if their code is in the module of the documents.
  init(_ configuration: Configuration, schema: TypeNames?) {
    for mapping in configuration.scalars.values.map(\.value) {
      insert(mapping.typeInDocuments(namespace: configuration.namespace))
      if let schema { insert(mapping.typeInSchema(declared: schema.declared)) }
    }
  }

  private mutating func insert(_ type: String?) {
    if let type { names.insert(String(type.prefix { $0 != "." })) }
  }
}
