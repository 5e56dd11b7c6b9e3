import GraphQLCodeGen
import GraphQLSchema

/// `stats`: the size of a schema, the amount of its generated code, and what pruning would keep of
/// it.
struct Stats {
  let options: StatsOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    let configurationFile = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files)
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(
      console: console, inputSize: schemaFiles.byteCount, isQuiet: options.printsJSON)
    let schema = try progress.during("Reading the schema") {
      try schemaFiles.schema(configurationFile.rules(options.rules))
    }
    let usage = try configurationFile.usage(files)
    let documents = try configurationFile.documentUses(schema, files)
    let report = try progress.during("Generating the module") {
      let pipeline = GeneratorPipeline(configuration: configurationFile.configuration)
      return StatsReport(
        schema: SchemaFigures(schema), whole: CodeFigures(try pipeline.run(schema).files),
        pruned: try usage.map {
          try StatsReport.Pruned(pipeline.run(schema, usage: $0, documents: documents))
        } ?? nil)
    }
    if options.printsJSON {
      try console.write(report.json)
    } else {
      try console.write(report.text)
    }
    return .success
  }
}
