import Foundation
import GraphQLPrinting
import GraphQLSchema
import Testing

@Suite struct SchemaRulesTests {
  @Test(
    "A violation that concerns only the service is a warning for a client",
    arguments: [
      ("type Query { a(b: Kind = \"X\"): Int } enum Kind { X }", "DefaultValues"),
      ("type Query { a(b: Int! @deprecated): Int }", "RequiredNotDeprecated"),
      (
        "type Query implements I { a: Int @deprecated } interface I { a: Int }",
        "ImplementedDeprecation"
      ),
      ("type Query @key(fields: \"a\") { a: Int }", "KnownDirectives"),
      ("type Query @deprecated { a: Int }", "DirectiveLocations"),
      ("type Query { a: Int @deprecated @deprecated }", "UniqueDirectives"),
      ("type Query { a: Int @deprecated(why: 1) }", "KnownArguments"),
      ("type Query { a: Int @deprecated(reason: \"a\", reason: \"b\") }", "UniqueArguments"),
      ("directive @d(a: Int!) on OBJECT type Query @d { a: Int }", "RequiredArguments"),
      ("type Query { a: Int @deprecated(reason: 1) }", "ArgumentValues"),
      (
        "directive @d(a: Int @d) on ARGUMENT_DEFINITION type Query { a: Int }",
        "DirectiveDefinitionCycles"
      ),
      ("directive @d(a: [N__A!]!) on OBJECT type Query { a: Int }", "DirectiveArgumentTypes"),
      (
        "type Query { a(i: I): Int } input I { a: Int } extend input I @oneOf",
        "OneOfNotInExtensions"
      ),
      ("type Query implements I { a: Int } interface I { a(b: Int): Int }", "ImplementedArguments"),
      ("type Query implements I { a(b: Int!): Int } interface I { a: Int }", "AdditionalArguments"),
      ("type Query { a(i: I): Int } input I @oneOf { a: Int! }", "OneOfFields"),
      ("type Query { a(i: I): Int } input I { i: I! }", "InputObjectCycles"),
      ("type Query { a: A } type A", "FieldsNonEmpty"),
      ("type Query { a: U } union U", "MembersNonEmpty"),
      ("type Query { a: E } enum E", "ValuesNonEmpty"),
      ("type Query { __a: Int }", "ReservedNames"),
      ("type Query { a(__typename: Int): Int }", "ReservedNames"),
      ("type Query { a(i: I): Int } input I { __type: Int }", "ReservedNames"),
      ("type Query { a: E } enum E { __schema }", "ReservedNames"),
      (
        "type Query { a: Int } type __Schema { types: [__Type] } type __Type { a: Int }",
        "IntrospectionTypes"
      ),
      ("type Query { a: Int a: Int }", "RepeatedFields"),
      (
        "type Query { a: Int } extend schema { query: Query } schema { query: Query }",
        "RepeatedOperationTypes"
      ),
    ])
  func toleratesForClients(sdl: String, code: String) throws {
    let warnings = try ServiceSchema(sdl: sdl).warnings
    #expect(Set(warnings.map(\.code)) == [code])
    #expect(warnings.allSatisfy { $0.severity == .warning })
    let error = #expect(throws: Diagnostics.self) {
      try ServiceSchema(sdl: sdl, rules: .specification)
    }
    #expect(error?.elements.map(\.severity) == warnings.map { _ in .error })
  }

  @Test(
    "A violation that would make generated code wrong is an error for a client as well",
    arguments: [
      ("type Query { a: Missing }", "KnownTypes"),
      ("directive @d(a: Missing) on OBJECT | FIELD type Query { a: Int }", "KnownTypes"),
      ("directive @d(a: Query) on OBJECT type Query { a: Int }", "InputValueTypes"),
      ("type Query { a: I } input I { a: Int }", "OutputFieldTypes"),
      ("type Query { a(b: Query): Int }", "InputValueTypes"),
      ("type Query implements I { a: String } interface I { a: Int }", "ImplementedFieldType"),
      ("type Query implements I { b: Int } interface I { a: Int }", "ImplementedFields"),
      ("type Query { a: Int a: String }", "UniqueNames"),
      ("type Query { __typename: Int }", "MetaFieldNames"),
      ("type Query { a: I } interface I { __type: Int }", "MetaFieldNames"),
      ("type Query { a(i: I): Int } input I @oneOf { a: I }", "OneOfInhabitable"),
      ("type Query { a(b: I = {}): Int } input I { i: I = {} }", "DefaultValueCycles"),
      (
        "schema { query: Query query: B } type Query { a: Int } type B { a: Int }",
        "UniqueOperationTypes"
      ),
    ])
  func rejectsForClients(sdl: String, code: String) throws {
    let error = #expect(throws: Diagnostics.self) { try ServiceSchema(sdl: sdl) }
    #expect(error?.errors.map(\.code) == [code])
  }

  @Test func definitionsOfIntrospectionAreLeftOut() throws {
    let schema = try ServiceSchema(
      sdl: "type Query { a: Int } type __Schema { types: [__Type] } enum __TypeKind { SCALAR }")
    #expect(schema.types.elements.map(\.name) == ["Query"])
    #expect(schema.type(named: "__Schema")?.fields?.contains(name: "queryType") == true)
  }

  @Test func repeatedRootsAreLeftOut() throws {
    let schema = try ServiceSchema(
      sdl: """
        schema { query: RootQ mutation: M }
        extend schema { query: RootQ }
        type RootQ { a: Int }
        type M { a: Int }
        """)
    #expect(schema.warnings.map(\.code) == ["RepeatedOperationTypes"])
    #expect(schema.definition.operationTypes.map(\.type.name) == ["RootQ", "M"])
    #expect(schema.sdl.components(separatedBy: "query: RootQ").count == 2)
    _ = try ServiceSchema(sdl: schema.sdl, rules: .specification)
  }

  @Test func errorAfterManyWarningsIsReported() throws {
    let fields = (0..<3_000).map { "f\($0): Int @x" }.joined(separator: "\n")
    let error = #expect(throws: Diagnostics.self) {
      try ServiceSchema(sdl: "type Query { \(fields) }\ntype A { a: Missing }")
    }
    #expect(error?.errors.map(\.code) == ["KnownTypes"])
  }

  @Test(arguments: [
    (
      "type QueryRoot { a: Int } type MutationRoot { a: Int }",
      "Add \"schema { query: QueryRoot mutation: MutationRoot }\", if these are the root types."
    ),
    (
      "type query_root { a: Int } type users_query { a: Int }",
      "Add \"schema { query: query_root }\", if these are the root types."
    ),
    (
      "type query { a: Int } type mutation { b: Int } type subscription { c: Int }",
      "Add \"schema { query: query mutation: mutation subscription: subscription }\", "
        + "if these are the root types."
    ),
    (
      "type QueryType { a: Job } type Job { query: QueryType } type JobQuery { a: Int }",
      "Add \"schema { query: QueryType }\", if these are the root types."
    ),
    (
      "type Root { a: Int } type RootMutation { root: Root }",
      "Add \"schema { query: Root mutation: RootMutation }\", if these are the root types."
    ),
    (
      "type UserQuery { a: Int } type AdminQuery { a: Int } type Mutation { a: Int }",
      "Add \"schema { query: … mutation: Mutation }\", with \"UserQuery\" or \"AdminQuery\"."
    ),
    (
      "type AQuery { a: Int } type BQuery { a: Int } type CQuery { a: Int } type DQuery { a: Int }",
      "Define \"type Query\", or a \"schema { query: … }\" that names another type."
    ),
    (
      "type Mutation { a: Int }",
      "Define \"type Query\", or a \"schema { query: … mutation: Mutation }\" that names another type."
    ),
    (
      "type Shop { a: Int }",
      "Define \"type Query\", or a \"schema { query: … }\" that names another type."
    ),
    (
      "schema { mutation: QueryMutation } type QueryMutation { a: Int } type RootQuery { a: Int }",
      "Add \"query: RootQuery\" to the schema definition, if it is the root type."
    ),
    (
      "schema { mutation: M } type M { a: Int } type AQuery { a: Int } type BQuery { a: Int }",
      "Add \"query: …\" to the schema definition, with \"AQuery\" or \"BQuery\"."
    ),
    (
      "type RootQueryType { a: QueryInfo } type QueryInfo { a: Int }",
      "Add \"schema { query: RootQueryType }\", if these are the root types."
    ),
  ])
  func suggestsRootTypes(sdl: String, suggestion: String) throws {
    let error = #expect(throws: Diagnostics.self) { try ServiceSchema(sdl: sdl) }
    #expect(error?.elements.map(\.code) == ["QueryRootType"])
    #expect(error?.elements.first?.suggestion == suggestion)
  }
}
