extension [Document] {
  /// The documents, in which the first extension of each type that is not defined is its definition.
  func definingExtendedTypes(_ diagnostics: inout DiagnosticCollector) -> [Document] {
    var defined: Set<String> = []
    for case .type(let type) in flatMap(\.definitions) { defined.insert(type.name) }
    var documents = self
    for document in documents.indices {
      for position in documents[document].definitions.indices {
        guard case .typeExtension(let type) = documents[document].definitions[position],
          !BuiltIn.types.contains(name: type.name), defined.insert(type.name).inserted
        else { continue }
        documents[document].definitions[position] = .type(type)
        diagnostics.add(
          "UndefinedTypes",
          "The type \(quoted(type.name)) is not defined; this extension counts as its definition.",
          at: type.nameRange, as: .warning)
      }
    }
    return documents
  }
}
