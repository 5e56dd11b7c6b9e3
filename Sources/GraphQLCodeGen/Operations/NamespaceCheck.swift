import GraphQLSchema

/// Checks the enum around operations and fragments. It must not hide anything that the code of the module,
/// or of modules that use it, names.
enum NamespaceCheck {
  /// Types that the code of the schema mentions, which may be in the same module.
  private static let mentionedTypes: WordSet = ["StaticString", "Void"]

  /// - Parameters:
  ///   - module: The module of the documents; nil if it is not known.
  ///   - modules: The modules that it uses, without those of scalars.
  static func check(
    _ configuration: Configuration, module: String?, modules: [String], scalars: ScalarNames
  ) -> Report {
    var report = Report()
    guard let namespace = configuration.operations.namespace else { return report }
    let name = namespace.value
    if !Configuration.isNamespace(name) {
      report.error(
        "InvalidNamespace", "The namespace \(quoted(name)) cannot be the name of a Swift enum.",
        at: namespace.position)
    } else if DefinitionNames.standardTypes.contains(name) || mentionedTypes.contains(name) {
      report.error(
        "InvalidNamespace",
        "The namespace of the operations cannot be called \(quoted(name)): generated code needs the name.",
        at: namespace.position)
    } else if scalars.contains(name) {
      report.error(
        "InvalidNamespace",
        "The namespace of the operations cannot be called \(quoted(name)): \(DefinitionNames.isOfScalar).",
        at: namespace.position, suggestion: "Set another `namespace` in `operations`.")
    } else if name == configuration.namespace {
      report.error(
        "SameNamespace",
        "The operations need another namespace than the types of the schema, \(quoted(name)).",
        at: namespace.position)
    } else if name == module || modules.contains(name) {
      let owner = name == module ? "this module" : "a module that this one uses"
      report.error(
        "NamespaceOfModule",
        "The operations need another namespace than \(quoted(name)), which is the name of \(owner).",
        at: namespace.position,
        suggestion: name == module
          ? "An enum of this name hides the module, so other modules cannot name the types in it."
          : "An enum of this name hides that module, so generated code cannot name its types.")
    }
    return report
  }
}
