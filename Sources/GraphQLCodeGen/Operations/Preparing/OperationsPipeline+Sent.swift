package import GraphQLSchema

extension OperationsPipeline {
  /// Documents with the type names and keys that are added to what is sent, and with the fragments for keys.
  ///
  /// - Parameter documents: without client directives. They may have errors.
  package func sent(_ documents: [Document], of schema: ServiceSchema) -> [Document] {
    let selected = SchemaFilter.select(from: schema, configuration: configuration).schema
    var completion = DocumentCompletion(
      schema: schema, selected: selected, isWhole: true, configuration: configuration,
      program: ProgramDocuments(sources: [], documents: documents))
    var completed = documents.map { document in
      var document = document
      document.definitions = document.definitions.map { completion.complete($0) }
      return document
    }
    guard let last = completed.indices.last else { return [] }
    let spreads = completed.flatMap(\.definitions).flatMap { $0.selectionSet?.spreads ?? [] }
    let added = TypeKeys(schema: selected, configuration: configuration).fragments(
      addedBy: spreads)
    completed[last].definitions += added.map { .fragment($0.definition) }
    return completed
  }
}
