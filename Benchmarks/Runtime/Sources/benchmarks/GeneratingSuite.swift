import Foundation
import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// From the text of a schema and of documents to the text of a module, for schema.json of this package.
enum GeneratingSuite {
  private static let documentCount = 500

  private struct FaultyDocuments: Error {}

  static func suite() throws -> Suite {
    let bytes = Array(try Data(contentsOf: ClientSuite.schemaFile))
    let source = Source(name: "schema.json", bytes: bytes)
    let configuration = Configuration(namespace: "Storefront")
    let schema = try ServiceSchema.read([source])
    let documents = ManyDocuments(schema, count: documentCount).sources
    let operations = OperationsPipeline(configuration: configuration)
    guard operations.run(schema, documents: documents).files.count == documentCount else {
      throw FaultyDocuments()
    }
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
        // On top of the schema: the names of its types are decided for one document as for many.
        Suite.Row(name: "one of \(documentCount) documents to Swift") {
          let all = secondsPerCall { use(operations.run(schema, documents: documents)) }
          let one = secondsPerCall { use(operations.run(schema, documents: [documents[0]])) }
          return (all - one) / Double(documentCount - 1)
        },
      ])
  }
}
