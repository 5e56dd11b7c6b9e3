import Testing

/// Rules about definitions and their extensions.
@Suite struct DefinitionRuleTests {
  @Test(arguments: [
    RuleCase(
      "an operation in a schema",
      invalid: """
        type Query { a: Int }
        query Hello { a }
        """,
      findings: [
        #"2:7 OnlyTypeSystemDefinitions: A schema cannot contain this operation."#
      ],
      valid: """
        type Query { a: Int }
        """),
    RuleCase(
      "a fragment in a schema",
      invalid: """
        type Query { a: Int }
        fragment F on Query { a }
        """,
      findings: [
        #"2:10 OnlyTypeSystemDefinitions: A schema cannot contain this fragment."#
      ],
      valid: """
        type Query { a: Int }
        """),
  ])
  func onlyTypeSystemDefinitions(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "two schema definitions",
      invalid: """
        type A { a: Int }
        schema { query: A }
        schema { query: A }
        """,
      findings: [
        #"3:1 LoneSchemaDefinition: There can be only one schema definition. Use "extend schema" to add to the first one."#
      ],
      valid: """
        type A { a: Int }
        schema { query: A }
        extend schema @tag
        directive @tag on SCHEMA
        """)
  ])
  func loneSchemaDefinition(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "two types of one name",
      invalid: """
        type Query { a: Int }
        scalar A
        scalar A
        """,
      findings: [
        #"3:8 UniqueTypeNames: There is more than one type "A"."#
      ],
      valid: """
        type Query { a: Int }
        scalar A
        scalar B
        """),
    RuleCase(
      "a type and an enum of one name",
      invalid: """
        type Query { a: Int }
        scalar A
        enum A { B }
        """,
      findings: [
        #"3:6 UniqueTypeNames: There is more than one type "A"."#
      ],
      valid: """
        type Query { a: Int }
        scalar A
        enum B { B }
        """),
  ])
  func uniqueTypeNames(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a type with the name of a built-in scalar",
      invalid: """
        type Query { a: ID }
        type ID { a: Int }
        """,
      findings: [
        #"2:6 BuiltInTypeNames: "ID" is the name of a built-in scalar."#
      ],
      valid: """
        type Query { a: ID }
        scalar ID
        """),
    RuleCase(
      "a built-in scalar with a specification",
      invalid: """
        type Query { a: Int }
        scalar ID @specifiedBy(url: "https://example.org")
        """,
      findings: [
        #"2:11 BuiltInTypeNames: "@specifiedBy" cannot be applied to the built-in scalar "ID"."#
      ],
      valid: """
        type Query { a: Int }
        scalar UUID @specifiedBy(url: "https://example.org")
        """),
  ])
  func builtInTypeNames(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "two directives of one name",
      invalid: """
        type Query { a: Int }
        directive @a on FIELD
        directive @a on QUERY
        """,
      findings: [
        #"3:11 UniqueDirectiveNames: There is more than one directive "@a"."#
      ],
      valid: """
        type Query { a: Int }
        directive @a on FIELD
        directive @b on QUERY
        """)
  ])
  func uniqueDirectiveNames(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an extension of nothing",
      invalid: """
        type Query { a: Int }
        type Product { a: Int }
        extend type Prodct { b: Int }
        """,
      findings: [
        #"3:13 ExtensionTargets: Cannot extend type "Prodct": it is not defined. Did you mean "Product"?"#
      ],
      valid: """
        type Query { a: Int }
        type Product { a: Int }
        extend type Product { b: Int }
        """),
    RuleCase(
      "an extension of a type of another file",
      invalid: """
        type Query { a: Int }
        extend type Elsewhere { b: Int }
        """,
      findings: [
        #"2:13 ExtensionTargets: Cannot extend type "Elsewhere": it is not defined. Add the file that defines it, or use --allow-undefined for a part of a schema."#
      ],
      valid: """
        type Query { a: Int }
        type Elsewhere { a: Int }
        extend type Elsewhere { b: Int }
        """),
    RuleCase(
      "an extension of another kind",
      invalid: """
        type Query { a: Int }
        interface A { a: Int }
        extend type A { b: Int }
        """,
      findings: [
        #"3:13 ExtensionTargets: Cannot extend "A" as an object type: it is an interface."#
      ],
      valid: """
        type Query { a: Int }
        interface A { a: Int }
        extend interface A { b: Int }
        """),
  ])
  func extensionTargets(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "@oneOf in an extension",
      invalid: """
        type Query { a: Int }
        input A { a: Int }
        extend input A @oneOf
        """,
      findings: [
        #"3:16 OneOfNotInExtensions: "@oneOf" cannot be applied in an extension. Apply it where "A" is defined."#
      ],
      valid: """
        type Query { a: Int }
        input A @oneOf { a: Int }
        extend input A { b: Int }
        """)
  ])
  func oneOfNotInExtensions(_ rule: RuleCase) { rule.check() }
}
