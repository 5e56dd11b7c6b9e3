import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The whole output for a few documents, as files to be read. See `ReferenceTests`.
@Suite struct OperationReferenceTests {
  private static let documents = OperationGeneration.folder.appending(path: "Documents")
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

  @Test func outputEqualsReferenceFiles() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.documents.path)
      .filter { $0.hasSuffix(".graphql") }.sorted()
    let sources = try names.map { name in
      Source(
        name: name, bytes: Array(try Data(contentsOf: Self.documents.appending(path: name))))
    }
    let pipeline = OperationsPipeline(configuration: Configuration(namespace: "Zoo"))
    let output = pipeline.run(try OperationGeneration.zoo.get(), documents: sources)
    #expect(output.diagnostics.filter { $0.severity == .error } == [])
    #expect(output.files.map(\.name) == pipeline.fileNames(for: names))
    for file in output.files {
      let path = Self.documents.appending(path: file.name)
      if Self.isRecording {
        try file.contents.write(to: path, atomically: true, encoding: .utf8)
      }
      #expect(
        try String(contentsOf: path, encoding: .utf8) == file.contents,
        "\(file.name) differs; if that is intended, run once with RECORD=1")
    }
    let stored = try FileManager.default.contentsOfDirectory(atPath: Self.documents.path)
    #expect(Set(stored) == Set(output.files.map(\.name) + names))
  }
}
