extension Emitter {
  /// A file: the header, the imports, and declarations, if there are any.
  ///
  /// - Parameter types: those that the declarations name.
  func file(
    _ name: String, isEmpty: Bool = false, types: ReferencedTypes,
    body: (inout SourceWriter) -> Void
  ) -> GeneratedFile {
    writer.line("\(Generated.header)")
    writer.line("\(Generated.formatterNote)")
    if !isEmpty {
      writer.blank()
      var visible = Set(types.spelled.compactMap { plan.importedTypes[$0] })
      if types.hasRuntimeType { visible.insert(RuntimeSymbols.module) }
      for module in Set(plan.importedTypes.values).union([RuntimeSymbols.module]).sorted() {
        writer.line("\(plan.access.import(module, isVisible: visible.contains(module)))")
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

extension Configuration.AccessLevel {
  /// - Parameter isVisible: whether declarations with this access name a type of the module.
  func `import`(_ module: String, isVisible: Bool) -> String {
    isVisible && self != .internal ? "\(rawValue) import \(module)" : "import \(module)"
  }
}
