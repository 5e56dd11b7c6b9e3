import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The whole output for a few documents. It is compiled with these tests, and `OperationReadingTests` reads
/// responses with it.
@Suite struct OperationReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The code for all documents of the folder `Reference`, and for their schema.
  static let output = Result { try files(Configuration(namespace: "Zoo", layout: .files(1))) }

  /// The same for a module without builders, which has only what the documents use.
  private static let outputWithoutBuilders = Result {
    try files(
      Configuration(
        namespace: "Park", layout: .files(1), builders: false,
        operations: OperationOptions(namespace: Located("ParkDocuments"))), prefix: "Park.")
  }

  /// - Parameter prefix: for the names of documents, since both modules are parts of one here.
  private static func files(
    _ configuration: Configuration, prefix: String = ""
  ) throws -> [GeneratedFile] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: OperationGeneration.folder.path
    ).filter { $0 != "schema.graphql" }.sorted()
    let documents = try names.map { name in
      let path = OperationGeneration.folder.appending(path: name)
      return Source(name: prefix + name, bytes: Array(try Data(contentsOf: path)))
    }
    let schema = try OperationGeneration.zoo.get()
    let pipeline = OperationsPipeline(configuration: configuration)
    let output = pipeline.run(schema, documents: documents)
    #expect(output.diagnostics.filter { $0.severity == .error } == [])
    #expect(output.files.map(\.name) == pipeline.fileNames(for: documents.map(\.name)))
    let module = try GeneratorPipeline(configuration: configuration).run(
      schema, usage: configuration.builders ? nil : SwiftIdentifiers(),
      documents: DocumentUses(documents, schema: schema, configuration: configuration))
    return module.files + output.files
  }

  @Test func outputEqualsReferenceFiles() throws {
    try ReferenceFiles(folder: Self.folder.appending(path: "Zoo"))
      .expectEqual(try Self.output.get())
  }

  @Test func outputWithoutBuildersEqualsReferenceFiles() throws {
    try ReferenceFiles(folder: Self.folder.appending(path: "Park"))
      .expectEqual(try Self.outputWithoutBuilders.get())
  }
}
