import GraphJSON
import GraphQLPrinting
import GraphQLSchema
import TestSupport
import Testing

/// Schemas of real services: they can be read, and every conversion keeps them.
@Suite(.enabled(if: SharedSchemas.exist, "../shared/schemas is absent"))
struct RealSchemaTests {
  private func source(_ name: String) throws -> Source {
    Source(name: name, bytes: try SharedSchemas.bytes(name))
  }

  @Test(arguments: [
    (SharedSchemas.github, 1_623), (SharedSchemas.storefront, 411),
    (SharedSchemas.customerAccount, 471),
  ])
  func readsSchemas(name: String, typeCount: Int) throws {
    let schema = try ServiceSchema.read([source(name)])
    #expect(schema.types.count == typeCount)
    #expect(schema.queryType != nil)
    #expect(schema.mutationType != nil)
  }

  @Test(arguments: SharedSchemas.all)
  func schemasRoundTripThroughSDL(name: String) throws {
    let schema = try ServiceSchema.read([source(name)])
    let sdl = schema.sdl
    let again = try ServiceSchema(sdl: sdl)
    #expect(again == schema)
    #expect(again.sdl == sdl)
  }

  @Test(arguments: SharedSchemas.all)
  func schemasRoundTripThroughIntrospection(name: String) throws {
    let schema = try ServiceSchema.read([source(name)])
    let json = schema.introspectionResult(style: .compact)
    let again = try ServiceSchema(introspection: Source(name: "schema.json", bytes: json))
    #expect(again.introspectionResult(style: .compact) == json)
    #expect(again.types.map(\.name) == schema.types.map(\.name))
  }

  @Test(arguments: SharedSchemas.all)
  func documentsRoundTripThroughText(name: String) throws {
    let schema = try ServiceSchema.read([source(name)])
    let document = try Document(parsing: Source(name: name, text: schema.sdl))
    let printed = document.text
    #expect(try Document(parsing: Source(name: name, text: printed)) == document)
  }

  /// GitHub publishes some fields twice; the schema has them once, and reports that.
  @Test func warnsAboutRepeatedFields() throws {
    let schema = try ServiceSchema.read([source(SharedSchemas.github)])
    let repeated = schema.warnings.filter { $0.code == "RepeatedFields" }
    #expect(repeated.count == 2)
    #expect(repeated.allSatisfy { $0.severity == .warning })
    let fields = try #require(schema.type(named: "EnterpriseOwnerInfo")?.fields)
    #expect(Set(fields.map(\.name)).count == fields.count)
  }
}
