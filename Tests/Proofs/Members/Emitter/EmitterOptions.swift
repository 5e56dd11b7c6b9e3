import Foundation
import GraphQLCodeGen
import GraphQLSchema

/// The command line.
struct EmitterOptions {
  let schema: String
  let config: String
  let module: String

  init(_ arguments: ArraySlice<String>) throws {
    var values: [String: String] = [:]
    var rest = arguments
    while let name = rest.popFirst(), let value = rest.popFirst() { values[name] = value }
    guard let schema = values["--schema"], let config = values["--config"],
      let module = values["--module"]
    else { throw Usage() }
    self.schema = schema
    self.config = config
    self.module = module
  }

  struct Usage: Error, CustomStringConvertible {
    var description: String { "usage: emit-member-calls --schema FILE --config FILE --module NAME" }
  }
}

/// The schema, and the generator's plan for it.
struct EmitterInput {
  let schema: ServiceSchema
  let plan: GenerationPlan

  init(_ options: EmitterOptions) throws {
    let configuration = try Configuration(parsing: Self.source(options.config))
    schema = try ServiceSchema.read([Self.source(options.schema)])
    plan = try GeneratorPipeline(configuration: configuration).plan(schema)
  }

  private static func source(_ path: String) throws -> Source {
    Source(name: path, bytes: Array(try Data(contentsOf: URL(filePath: path))))
  }
}
