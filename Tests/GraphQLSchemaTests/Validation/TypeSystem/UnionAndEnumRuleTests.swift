import Testing

/// Rules about unions and enums (sections 3.8, 3.9).
@Suite struct UnionAndEnumRuleTests {
  @Test(arguments: [
    RuleCase(
      "a union without members",
      invalid: """
        type Query { a: Int }
        union U
        """,
      findings: [
        #"2:7 MembersNonEmpty: "U" must have at least one member."#
      ],
      valid: """
        type Query { a: Int }
        union U = Query
        """),
    RuleCase(
      "a repeated member",
      invalid: """
        type Query { a: Int }
        union U = Query | Query
        """,
      findings: [
        #"2:19 UnionMembers: "U" has more than one member "Query"."#
      ],
      valid: """
        type Query { a: Int }
        union U = | Query
        """),
    RuleCase(
      "a member added again in an extension",
      invalid: """
        type Query { a: Int }
        union U = Query
        extend union U = Query
        """,
      findings: [
        #"3:18 UnionMembers: "U" has more than one member "Query"."#
      ],
      valid: """
        type Query { a: Int }
        type B { a: Int }
        union U = Query
        extend union U = B
        """),
    RuleCase(
      "a scalar as member",
      invalid: """
        type Query { a: Int }
        union U = Int
        """,
      findings: [
        #"2:11 UnionMembers: The members of "U" must be object types; "Int" is a scalar."#
      ],
      valid: """
        type Query { a: Int }
        union U = Query
        """),
    RuleCase(
      "an interface as member",
      invalid: """
        type Query { a: Int }
        interface I { a: Int }
        union U = I
        """,
      findings: [
        #"3:11 UnionMembers: The members of "U" must be object types; "I" is an interface."#
      ],
      valid: """
        type Query { a: Int }
        type I { a: Int }
        union U = I
        """),
    RuleCase(
      "a union as member",
      invalid: """
        type Query { a: Int }
        union V = Query
        union U = V
        """,
      findings: [
        #"3:11 UnionMembers: The members of "U" must be object types; "V" is a union."#
      ],
      valid: """
        type Query { a: Int }
        union V = Query
        union U = Query
        """),
  ])
  func unionMembers(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an unknown member",
      invalid: """
        type Query { a: Int }
        union U = Quer
        """,
      findings: [
        #"2:11 KnownTypes: Unknown type "Quer". Did you mean "Query"?"#
      ],
      valid: """
        type Query { a: Int }
        union U = Query
        """)
  ])
  func knownTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an enum without values",
      invalid: """
        type Query { a: Int }
        enum E
        """,
      findings: [
        #"2:6 ValuesNonEmpty: "E" must have at least one value."#
      ],
      valid: """
        type Query { a: Int }
        enum E { A }
        """)
  ])
  func enumValueNames(_ rule: RuleCase) { rule.check() }
}
