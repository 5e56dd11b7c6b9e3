import Foundation
import GraphJSON
import GraphQLExecution
import GraphQLPrinting
import GraphQLSchema
import TestSupport
import Testing

/// Section 4, executed.
struct ExecutedIntrospectionTests {
  /// Selects everything, as tools do.
  static let query = """
    query {
      __schema {
        description
        queryType { name } mutationType { name } subscriptionType { name }
        types {
          kind name description specifiedByURL isOneOf
          fields(includeDeprecated: true) {
            name description args(includeDeprecated: true) { ...Input } type { ...Ref }
            isDeprecated deprecationReason }
          inputFields(includeDeprecated: true) { ...Input }
          interfaces { ...Ref }
          enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
          possibleTypes { ...Ref } }
        directives {
          name description isRepeatable locations args(includeDeprecated: true) { ...Input } } } }
    fragment Input on __InputValue {
      name description type { ...Ref } defaultValue isDeprecated deprecationReason }
    fragment Ref on __Type {
      kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
        ofType { kind name ofType { kind name } } } } } } }
    """

  private func roundTrip(_ schema: ServiceSchema) async throws -> ServiceSchema {
    let document = try Document(parsing: Source(name: "query", text: Self.query))
    #expect(document.validate(against: schema).isEmpty)
    let result = await DocumentExecutor(schema: schema, resolver: MemberResolver()).execute(
      document)
    #expect(result.errors.isEmpty)
    return try ServiceSchema(
      introspection: Source(name: "result", bytes: Array(result.json.description.utf8)))
  }

  @Test func introspectionRoundTripsSchema() async throws {
    let file = URL(filePath: #filePath).appending(path: "../../../schema.graphql")
      .standardizedFileURL
    let schema = try ServiceSchema(
      sources: [Source(name: "schema.graphql", bytes: Array(Data(contentsOf: file)))])
    let copy = try await roundTrip(schema)
    let written = try ServiceSchema(
      introspection: Source(name: "written", bytes: schema.introspectionResult()))
    #expect(copy == written)
  }

  @Test(.enabled(if: SharedSchemas.exist, "the shared schemas are not beside this checkout"))
  func introspectionRoundTripsLargeSchema() async throws {
    let bytes = try SharedSchemas.bytes(SharedSchemas.github)
    let schema = try ServiceSchema.read([Source(name: SharedSchemas.github, bytes: bytes)])
    let copy = try await roundTrip(schema)
    #expect(copy.types.count == schema.types.count)
  }

  @Test func omitsDeprecatedElementsByDefault() async throws {
    let harness = try ExecutionHarness(
      """
      type Query { new(a: Int, b: Int @deprecated): Int, old: Int @deprecated(reason: "gone") }
      enum E { A, B @deprecated }
      """)
    let result = try await harness.run(
      """
      { __type(name: "Query") { fields { name args { name } }
          all: fields(includeDeprecated: true) { name isDeprecated deprecationReason
            args(includeDeprecated: true) { name } } }
        e: __type(name: "E") { enumValues { name } }
        none: __type(name: "Nothing") { name } list: __type(name: "[Int]") { name } }
      """)
    #expect(
      result.data == [
        "__type": [
          "fields": [["name": "new", "args": [["name": "a"]]]],
          "all": [
            [
              "name": "new", "isDeprecated": false, "deprecationReason": nil,
              "args": [["name": "a"], ["name": "b"]],
            ],
            ["name": "old", "isDeprecated": true, "deprecationReason": "gone", "args": []],
          ],
        ],
        "e": ["enumValues": [["name": "A"]]], "none": nil, "list": nil,
      ])
  }
}
