import Foundation
import GraphQLCodeGen
import GraphQLPrinting
import GraphQLSchema
import Testing

/// Schemas in the forms of existing servers, with their directives: only what concerns the server is
/// a warning, and the generated code compiles.
@Suite struct ServiceSchemaTests {
  struct Service: CustomTestStringConvertible {
    let name: String
    /// The codes of the warnings.
    var warnings: [String: Int] = [:]
    var allowsUndefinedTypes = false

    var testDescription: String { name }
  }

  static let services = [
    // A proposal applies @deprecated to directive definitions.
    Service(name: "edition2025", warnings: ["DirectiveLocations": 1]),
    Service(name: "semanticNonNull"),
    Service(name: "federation1"),
    Service(name: "federation2"),
    Service(name: "supergraph"),
    Service(
      name: "subgraph1", warnings: ["UndefinedTypes": 7, "KnownDirectives": 5],
      allowsUndefinedTypes: true),
    Service(name: "subgraph2", warnings: ["DirectiveArgumentTypes": 3, "KnownDirectives": 19]),
    Service(name: "hasura"),
    Service(name: "shopify"),
    Service(name: "relay", warnings: ["KnownDirectives": 3, "ReservedNames": 1]),
  ]

  private func schema(of service: Service) throws -> ServiceSchema {
    let name = "\(service.name).graphql"
    let path = CompilationTests.package
      .appending(path: "Tests/GraphQLCodeGenTests/Schemas/Services/\(name)")
    var rules = SchemaRules.client
    rules.allowsUndefinedTypes = service.allowsUndefinedTypes
    return try ServiceSchema(
      sources: [Source(name: name, bytes: Array(try Data(contentsOf: path)))], rules: rules)
  }

  @Test(arguments: services)
  func onlyServersAreConcerned(service: Service) throws {
    let warnings = try schema(of: service).warnings
    let counts = Dictionary(grouping: warnings, by: \.code).mapValues(\.count)
    #expect(counts == service.warnings)
    #expect(warnings.allSatisfy { $0.severity == .warning })
  }

  @Test(
    .enabled(
      if: CompilationTests.isBuilt, "the runtime has not been built for debugging in .build"),
    arguments: services)
  func generatedCodeCompiles(service: Service) async throws {
    let output = try GeneratorPipeline(configuration: Configuration()).run(schema(of: service))
    #expect(try await CompilationTests.complaints(about: output.files) == "")
  }

  @Test(arguments: services)
  func schemaIsTheSameAfterIntrospection(service: Service) throws {
    let schema = try schema(of: service)
    let result = schema.introspectionResult()
    let again = try ServiceSchema.read([Source(name: "schema.json", bytes: result)])
    #expect(again.types.map(\.name) == schema.types.map(\.name))
    #expect(again.warnings.allSatisfy { $0.severity == .warning })
  }
}
