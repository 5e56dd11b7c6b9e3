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
    func seconds(_ documents: [Source], _ clock: ClientSuite.Clock) -> Double {
      let start = clock.now
      use(operations.run(schema, documents: documents))
      return clock.now - start
    }
    // On top of the schema: the names of its types are decided for one document as for many. Several threads generate
    // the documents.
    func row(_ name: String, _ clock: ClientSuite.Clock) -> Suite.Row {
      Suite.Row(name: name) {
        (seconds(documents, clock) - seconds([documents[0]], clock)) / Double(documentCount - 1)
      }
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
        row("one of \(documentCount) documents to Swift", .processor),
        row("the same, elapsed time", .wall),
      ])
  }
}
