package import GraphQLSchema

extension OperationsPipeline {
  /// Documents with all that is added to what is sent, also the fragments with keys.
  ///
  /// - Parameter documents: without client directives. They may have errors.
  package func sent(_ documents: [Document], of schema: ServiceSchema) -> [Document] {
    var completed = completed(documents, of: schema)
    guard let last = completed.indices.last else { return [] }
    let selected = SchemaFilter.select(from: schema, configuration: configuration).schema
    let spreads = completed.flatMap(\.definitions).flatMap { $0.selectionSet?.spreads ?? [] }
    let added = TypeKeys(schema: selected, configuration: configuration).fragments(
      addedBy: spreads)
    completed[last].definitions += added.map { .fragment($0.definition) }
    return completed
  }
}
