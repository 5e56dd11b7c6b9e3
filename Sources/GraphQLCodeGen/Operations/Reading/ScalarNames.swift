/// The first names of the types of custom scalars, as generated code of a module spells them: modules, or types
/// without one. A type of the module's documents with such a name would hide what it means.
struct ScalarNames {
  /// In the code of documents, which a type in a namespace hides as well.
  private(set) var inDocuments: Set<String> = []
  /// In the code of the schema.
  private(set) var inSchema: Set<String> = []

  /// - Parameter schema: the types of the schema, if their code is in the module of the documents.
  init(_ configuration: Configuration, schema: TypeNames?) {
    for mapping in configuration.scalars.values.map(\.value) {
      Self.insert(mapping.typeInDocuments(namespace: configuration.namespace), into: &inDocuments)
      guard let schema else { continue }
      Self.insert(mapping.typeInSchema(declared: schema.declared), into: &inSchema)
    }
  }

  func contains(_ name: String) -> Bool { inDocuments.contains(name) || inSchema.contains(name) }

  private static func insert(_ type: String?, into names: inout Set<String>) {
    if let type { names.insert(String(type.prefix { $0 != "." })) }
  }
}
