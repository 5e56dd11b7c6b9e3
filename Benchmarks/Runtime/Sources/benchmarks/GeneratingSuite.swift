import Foundation
import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// From the text of a schema to the text of a module, for schema.json of this package.
enum GeneratingSuite {
  static func suite() throws -> Suite {
    let bytes = Array(try Data(contentsOf: ClientSuite.schemaFile))
    let source = Source(name: "schema.json", bytes: bytes)
    let configuration = Configuration(namespace: "Storefront")
    return Suite(
      name: "Generating from schema.json", unit: .time,
      rows: [
        Suite.Row(name: "bytes to tape") {
          try secondsPerCall(repeating: 20) { use(try JSONDocument(parsing: bytes)) }
        },
        Suite.Row(name: "bytes to validated schema", isReference: true) {
          try secondsPerCall(repeating: 5) { use(try ServiceSchema.read([source])) }
        },
        Suite.Row(name: "bytes to Swift") {
          try secondsPerCall(repeating: 5) {
            use(
              try GeneratorPipeline(configuration: configuration).run(
                try ServiceSchema.read([source])))
          }
        },
      ])
  }
}
