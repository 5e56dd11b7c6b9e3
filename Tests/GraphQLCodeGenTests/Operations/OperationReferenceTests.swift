import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The whole output for a few documents, as files to be read. They are compiled with these tests, and
/// `OperationReadingTests` reads responses with them.
///
/// With `RECORD=1` in the environment the files are written instead of compared.
@Suite struct OperationReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Zoo")
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

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
    let files = try Self.output.get()
    for file in files {
      let path = Self.folder.appending(path: file.name)
      if Self.isRecording {
        try file.contents.write(to: path, atomically: true, encoding: .utf8)
      }
      #expect(
        try String(contentsOf: path, encoding: .utf8) == file.contents,
        "\(file.name) differs; if that is intended, run once with RECORD=1")
    }
    let stored = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(stored) == Set(files.map(\.name)))
  }
}
