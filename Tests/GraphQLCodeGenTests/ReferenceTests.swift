import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The whole output for a small schema, as files to be read.
///
/// With `RECORD=1` in the environment the files are written instead of compared.
@Suite struct ReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Reference")
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

  @Test func outputEqualsReferenceFiles() throws {
    let path = Self.folder.appending(path: "schema.graphql")
    let source = Source(name: "schema.graphql", bytes: Array(try Data(contentsOf: path)))
    let configuration = Configuration(
      namespace: "Library", scalars: ["ISBN": Located(.custom(type: "BookNumber", module: nil))],
      types: ["Member": Located(TypePolicy(policy: .sensitive, maxAge: 3600))],
      layout: .files(2))
    let output = try GeneratorPipeline(configuration: configuration).run(
      ServiceSchema(sources: [source]))
    for file in output.files {
      let path = Self.folder.appending(path: file.name)
      if Self.isRecording {
        try file.contents.write(to: path, atomically: true, encoding: .utf8)
      }
      #expect(
        try String(contentsOf: path, encoding: .utf8) == file.contents,
        "\(file.name) differs; if that is intended, run once with RECORD=1")
    }
    let stored = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(stored) == Set(output.files.map(\.name) + ["schema.graphql"]))
  }
}
