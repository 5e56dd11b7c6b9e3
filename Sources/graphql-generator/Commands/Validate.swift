import GraphQLSchema

/// `validate`: reports all errors and warnings in a schema.
struct Validate {
  let options: ValidateOptions
  let files: FileAccess
  let console: Console

  /// - Parameter keep: Keeps large values, so that they are not freed before the process ends.
  func run(keeping keep: (any Sendable) -> Void = { _ in }) throws -> ExitStatus {
    let rules = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files
    ).rules(options.rules)
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(console: console, inputSize: schemaFiles.byteCount)
    let schema: ServiceSchema
    do throws(Diagnostics) {
      schema = try progress.during("Reading the schema") { () throws(Diagnostics) in
        try schemaFiles.schema(rules)
      }
    } catch {
      console.report(error)
      try console.write(counted(error.errorCount, "error"))
      return .problems
    }
    keep(schema)
    for warning in schema.warnings { console.report(warning) }
    let warningCount = schema.warningCounts.values.reduce(0, +)
    let warnings = warningCount == 0 ? "" : ", \(counted(warningCount, "warning"))"
    try console.write("\(counted(schema.types.elements.count, "type")), 0 errors\(warnings)")
    return .success
  }
}
