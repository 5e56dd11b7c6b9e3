extension Emitter {
  /// All files, in the order of the layout.
  var files: [GeneratedFile] {
    switch plan.layout {
    case .files(let count): fixedFiles(objectFiles: count)
    case .perType: filesPerType
    }
  }

  private var mainFile: GeneratedFile {
    var types = ReferencedTypes()
    types.insert(.named(RuntimeSymbols.schemaNamespace))
    for directive in plan.directives { types.insert(directive.arguments) }
    return file(FileNames.main(plan.namespace), types: types) { writer in
      namespace(&writer)
      guard plan.hasBuilders else { return }
      roots(&writer)
      directives(&writer)
    }
  }

  /// The files that `Configuration.expectedFileNames` lists.
  private func fixedFiles(objectFiles count: Int) -> [GeneratedFile] {
    let name = plan.namespace
    let objects = Balance.runs(
      of: plan.types(of: .object), count: count, weight: \.weight, name: \.schemaName)
    return [mainFile]
      + objects.enumerated().map { file(FileNames.objects(name, $0 + 1), of: $1) }
      + [
        file(FileNames.interfaces(name), of: plan.types(of: .interface)),
        file(FileNames.enums(name), of: plan.types(of: .enumeration)),
        file(FileNames.inputs(name), of: plan.types(of: .input)),
      ]
  }

  private var filesPerType: [GeneratedFile] {
    let types = TypePlan.Group.allCases.flatMap(plan.types).sorted { $0.schemaName < $1.schemaName }
    let names = FileNames.perType(plan.namespace, types: types.map(\.schemaName))
    return [mainFile] + zip(names, types).map { file($0, of: [$1]) }
  }

  /// A file of types; only the header if there are none.
  private func file(_ name: String, of types: [TypePlan]) -> GeneratedFile {
    file(
      name, isEmpty: types.isEmpty, types: ReferencedTypes(types, access: plan.access)
    ) { writer in
      namespaceExtension(&writer) { writer in
        for type in types { declarations(of: type, &writer) }
      }
      for case .composite(let type) in types where type.isAbstract {
        abstractAccessors(type, &writer)
      }
    }
  }

  private func declarations(of type: TypePlan, _ writer: inout SourceWriter) {
    switch type {
    case .composite(let type):
      if type.isAbstract { abstractType(type, &writer) }
      queryClass(type, &writer)
      responseClass(type, &writer)
    case .enumeration(let type): enumeration(type, &writer)
    case .inputObject(let type): inputObject(type, &writer)
    case .oneOf(let type): oneOf(type, &writer)
    }
  }
}
