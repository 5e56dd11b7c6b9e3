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
        writer.importModule(module, plan.access, isVisible: visible.contains(module))
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

extension SourceWriter {
  /// An import of a module.
  ///
  /// - Parameters:
  ///   - level: the access of the declarations in the file.
  ///   - isVisible: whether these name a type of the module.
  mutating func importModule(
    _ module: String, _ level: Configuration.AccessLevel, isVisible: Bool
  ) {
    switch level {
    case .public where isVisible: line(names: "public import \(module)")
    // Without the feature, imports are public, and `package import` makes all others of the module an error.
    case .package where isVisible:
      line("#if hasFeature(InternalImportsByDefault)")
      line(names: "  package import \(module)")
      line("#else")
      line(names: "  import \(module)")
      line("#endif")
    case .public, .package, .internal: line(names: "import \(module)")
    }
  }
}
