import GraphQLSchema

/// `print`: a schema as SDL or as an introspection result.
struct Print {
  let options: PrintOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    let rules = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files
    ).rules(options.rules)
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(console: console, inputSize: schemaFiles.byteCount)
    let schema = try progress.during("Reading the schema") { try schemaFiles.schema(rules) }
    let text = progress.during("Printing the schema") { self.text(of: schema) }
    if let output = options.output {
      try files.write(text, to: output)
    } else {
      try console.write(text)
    }
    return .success
  }

  private func text(of schema: ServiceSchema) -> [UInt8] {
    switch options.form {
    case .sdl: Array(schema.sdl.utf8)
    case .introspection: schema.introspectionResult() + [UInt8(ascii: "\n")]
    }
  }
}
