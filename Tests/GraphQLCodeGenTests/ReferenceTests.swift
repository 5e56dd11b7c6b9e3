import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The whole output for a small schema.
@Suite struct ReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Reference")

  @Test func outputEqualsReferenceFiles() throws {
    let path = Self.folder.appending(path: "schema.graphql")
    let source = Source(name: "schema.graphql", bytes: Array(try Data(contentsOf: path)))
    let configuration = Configuration(
      namespace: "Library", scalars: ["ISBN": Located(.custom(type: "BookNumber", module: nil))],
      types: ["Member": Located(TypePolicy(policy: .sensitive, maxAge: 3600))],
      layout: .files(2))
    let output = try GeneratorPipeline(configuration: configuration).run(
      ServiceSchema(sources: [source]))
    try ReferenceFiles(folder: Self.folder).expectEqual(output.files, inputs: ["schema.graphql"])
  }
}
