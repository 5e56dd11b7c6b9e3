import GraphQLSchema
import Testing

@Suite(.enabled(if: SharedSchemas.exist, "../shared/schemas is absent"))
struct RealSchemaTests {
  @Test func github() throws {
    let c = ContinuousClock()
    let source = try SharedSchemas.source(SharedSchemas.github)
    var s: Schema?
    print(c.measure { _ = Source(name: "x", bytes: Array(source.bytes)) })
    print(try c.measure { _ = try Document(parsing: source) })
    do { print(try c.measure { s = try Schema(sources: [source]) }) } catch { print(error) }
    print(s?.types.count as Any)
  }
}
