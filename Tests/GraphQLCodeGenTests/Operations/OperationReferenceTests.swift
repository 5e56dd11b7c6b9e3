import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The whole output for a few documents. It is compiled with these tests, and `OperationReadingTests` reads
/// responses with it.
@Suite struct OperationReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Zoo")

  /// The code for all documents of the folder `Reference`, and for their schema.
  static let output = Result {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: OperationGeneration.folder.path
    ).filter { $0 != "schema.graphql" }.sorted()
    let documents = try names.map { name in
      let path = OperationGeneration.folder.appending(path: name)
      return Source(name: name, bytes: Array(try Data(contentsOf: path)))
    }
    let schema = try OperationGeneration.zoo.get()
    let configuration = Configuration(namespace: "Zoo", layout: .files(1))
    let pipeline = OperationsPipeline(configuration: configuration)
    let output = pipeline.run(schema, documents: documents)
    #expect(output.diagnostics.filter { $0.severity == .error } == [])
    #expect(output.files.map(\.name) == pipeline.fileNames(for: names))
    return try GeneratorPipeline(configuration: configuration).run(schema).files + output.files
  }

  @Test func outputEqualsReferenceFiles() throws {
    try ReferenceFiles(folder: Self.folder).expectEqual(try Self.output.get())
  }
}
