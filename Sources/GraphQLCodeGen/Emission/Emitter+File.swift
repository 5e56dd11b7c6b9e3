extension Emitter {
  /// A file: the header, the imports, and declarations, if there are any.
  func file(
    _ name: String, isEmpty: Bool = false, body: (inout SourceWriter) -> Void
  ) -> GeneratedFile {
    writer.line("\(Generated.header)")
    writer.line("\(Generated.formatterNote)")
    if !isEmpty {
      writer.blank()
      for module in Set(plan.imports + [RuntimeSymbols.module]).sorted() {
        writer.line("import \(module)")
      }
      body(&writer)
    }
    return GeneratedFile(name: name, bytes: writer.finish())
  }

  /// Declarations inside the namespace.
  func namespaceExtension(
    _ writer: inout SourceWriter, _ body: (inout SourceWriter) -> Void
  ) {
    writer.blank()
    writer.block("\(nonisolated)extension \(plan.namespace)", body)
  }
}
