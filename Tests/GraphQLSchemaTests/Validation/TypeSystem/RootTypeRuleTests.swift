import Testing

/// Rules about root operation types (section 3.3.1).
@Suite struct RootTypeRuleTests {
  @Test(arguments: [
    RuleCase(
      "no query root type",
      invalid: """
        type Product { a: Int }
        """,
      findings: [
        #"1:1 QueryRootType: The schema has no query root type. Define "type Query", or a "schema { query: … }" that names another type."#
      ],
      valid: """
        type Query { a: Int }
        """),
    RuleCase(
      "a schema definition without query",
      invalid: """
        schema { mutation: M }
        type M { a: Int }
        """,
      findings: [
        #"1:1 QueryRootType: The schema has no query root type. Add "query: …" to the schema definition."#
      ],
      valid: """
        schema { query: M }
        type M { a: Int }
        """),
  ])
  func queryRootType(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "two query root types",
      invalid: """
        schema { query: A query: B }
        type A { a: Int }
        type B { a: Int }
        """,
      findings: [
        #"1:19 UniqueOperationTypes: There is more than one query root type."#
      ],
      valid: """
        schema { query: A mutation: B }
        type A { a: Int }
        type B { a: Int }
        """),
    RuleCase(
      "a root type given again in an extension",
      invalid: """
        schema { query: A }
        extend schema { query: B }
        type A { a: Int }
        type B { a: Int }
        """,
      findings: [
        #"2:17 UniqueOperationTypes: There is more than one query root type."#
      ],
      valid: """
        schema { query: A }
        extend schema { mutation: B }
        type A { a: Int }
        type B { a: Int }
        """),
  ])
  func uniqueOperationTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an unknown root type",
      invalid: """
        schema { query: Querry }
        type Query { a: Int }
        """,
      findings: [
        #"1:17 KnownTypes: Unknown type "Querry". Did you mean "Query"?"#
      ],
      valid: """
        schema { query: Query }
        type Query { a: Int }
        """)
  ])
  func knownTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an interface as root type",
      invalid: """
        schema { query: A }
        interface A { a: Int }
        """,
      findings: [
        #"1:17 RootTypesAreObjects: The query root type "A" must be an object type; it is an interface."#
      ],
      valid: """
        schema { query: A }
        type A { a: Int }
        """),
    RuleCase(
      "an input object as default root type",
      invalid: """
        type Query { a: Int }
        input Mutation { a: Int }
        """,
      findings: [
        #"2:7 RootTypesAreObjects: The mutation root type "Mutation" must be an object type; it is an input object."#
      ],
      valid: """
        schema { query: Query }
        type Query { a: Int }
        input Mutation { a: Int }
        """),
  ])
  func rootTypesAreObjects(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "one type at two roots",
      invalid: """
        schema { query: A mutation: A }
        type A { a: Int }
        """,
      findings: [
        #"1:29 RootTypesDiffer: "A" cannot be the root type of both query and mutation."#
      ],
      valid: """
        schema { query: A mutation: B }
        type A { a: Int }
        type B { a: Int }
        """)
  ])
  func rootTypesDiffer(_ rule: RuleCase) { rule.check() }
}
