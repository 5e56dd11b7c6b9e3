import Testing

/// Rules about fields, arguments and input fields (sections 3.6, 3.7, 3.10).
@Suite struct MemberRuleTests {
  @Test(arguments: [
    RuleCase(
      "an object without fields",
      invalid: """
        type Query { a: Int }
        type A
        """,
      findings: [
        #"2:6 FieldsNonEmpty: "A" must have at least one field."#
      ],
      valid: """
        type Query { a: Int }
        type A { a: Int }
        """),
    RuleCase(
      "an interface without fields",
      invalid: """
        type Query { a: Int }
        interface A
        """,
      findings: [
        #"2:11 FieldsNonEmpty: "A" must have at least one field."#
      ],
      valid: """
        type Query { a: Int }
        interface A { a: Int }
        """),
    RuleCase(
      "an input object without fields",
      invalid: """
        type Query { a: Int }
        input A
        """,
      findings: [
        #"2:7 FieldsNonEmpty: "A" must have at least one field."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: Int }
        """),
  ])
  func fieldsNonEmpty(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an unknown type of a field",
      invalid: """
        type Query { a: [Sting!] }
        """,
      findings: [
        #"1:17 KnownTypes: Unknown type "Sting". Did you mean "String"?"#
      ],
      valid: """
        type Query { a: [String!] }
        """),
    RuleCase(
      "an unknown type of an argument",
      invalid: """
        type Query { a(b: Strin): Int }
        """,
      findings: [
        #"1:19 KnownTypes: Unknown type "Strin". Did you mean "String"?"#
      ],
      valid: """
        type Query { a(b: String): Int }
        """),
  ])
  func knownTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an input object as a field's type",
      invalid: """
        type Query { a: [A] }
        input A { a: Int }
        """,
      findings: [
        #"1:17 OutputFieldTypes: The type of "Query.a" must be an output type; "A" is an input object."#
      ],
      valid: """
        type Query { a: [A] }
        type A { a: Int }
        """)
  ])
  func outputFieldTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an object as an argument's type",
      invalid: """
        type Query { a(b: A!): Int }
        type A { a: Int }
        """,
      findings: [
        #"1:19 InputValueTypes: The type of "Query.a(b:)" must be an input type; "A" is an object type."#
      ],
      valid: """
        type Query { a(b: A!): Int }
        input A { a: Int }
        """),
    RuleCase(
      "a union as an input field's type",
      invalid: """
        type Query { a: Int }
        input A { a: U }
        union U = Query
        """,
      findings: [
        #"2:14 InputValueTypes: The type of "A.a" must be an input type; "U" is a union."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: U }
        enum U { V }
        """),
    RuleCase(
      "an interface as a directive argument's type",
      invalid: """
        type Query { a: Int }
        directive @a(b: I) on FIELD
        interface I { a: Int }
        """,
      findings: [
        #"2:17 InputValueTypes: The type of "@a(b:)" must be an input type; "I" is an interface."#
      ],
      valid: """
        type Query { a: Int }
        directive @a(b: I) on FIELD
        scalar I
        """),
  ])
  func inputValueTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a required argument that is deprecated",
      invalid: """
        type Query { a(b: Int! @deprecated): Int }
        """,
      findings: [
        #"1:24 RequiredNotDeprecated: "Query.a(b:)" is required, so it cannot be deprecated. Make its type nullable, or give it a default value."#
      ],
      valid: """
        type Query { a(b: Int! = 1 @deprecated): Int }
        """),
    RuleCase(
      "a required input field that is deprecated",
      invalid: """
        type Query { a: Int }
        input A { a: Int! @deprecated, b: Int }
        """,
      findings: [
        #"2:19 RequiredNotDeprecated: "A.a" is required, so it cannot be deprecated. Make its type nullable, or give it a default value."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: Int @deprecated, b: Int }
        """),
  ])
  func requiredNotDeprecated(_ rule: RuleCase) { rule.check() }
}
