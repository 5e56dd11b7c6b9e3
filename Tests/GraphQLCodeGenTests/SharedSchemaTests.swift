import Foundation
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Large schemas of real services, if they are available.
@Suite struct SharedSchemaTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/schemas").standardizedFileURL
  private static let isThere = FileManager.default.fileExists(atPath: folder.path)

  @Test(
    .enabled(if: isThere, "../shared/schemas is absent"),
    arguments: [
      ("github.graphql", 1_012), ("shopify-storefront.json", 288),
      ("shopify-customer-account.json", 345),
    ])
  func largeSchemasAreGeneratedCompletely(name: String, composites: Int) throws {
    let bytes = Array(try Data(contentsOf: Self.folder.appending(path: name)))
    let source = Source(name: name, bytes: bytes)
    let schema =
      name.hasSuffix(".json")
      ? try ServiceSchema(introspection: source) : try ServiceSchema(sources: [source])
    let configuration = Configuration()
    let pipeline = GeneratorPipeline(configuration: configuration)
    let plan = try pipeline.plan(schema)
    let output = try pipeline.run(schema)
    #expect(output.files.map(\.name) == configuration.expectedFileNames)
    #expect(output.diagnostics.isEmpty)
    let planned =
      plan.composites.count + plan.enums.count + plan.inputs.count + plan.oneOfs.count
    let scalars = schema.types.elements.filter { $0.kind == .scalar }.count
    #expect(planned + scalars == schema.types.count)
    #expect(plan.composites.count == composites)
  }
}
