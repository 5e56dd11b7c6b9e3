import Testing

/// Rules about names (section 2.1.8 and the uniqueness rules of chapter 3).
@Suite struct NameRuleTests {
  @Test(arguments: [
    RuleCase(
      "reserved name of a type",
      invalid: """
        type Query { a: Int }
        scalar __A
        """,
      findings: [
        #"2:8 ReservedNames: The name "__A" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { a: Int }
        scalar _A
        """),
    RuleCase(
      "reserved name of a field",
      invalid: """
        type Query { __a: Int }
        """,
      findings: [
        #"1:14 ReservedNames: The name "Query.__a" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { _a: Int }
        """),
    RuleCase(
      "reserved name of an argument",
      invalid: """
        type Query { a(__b: Int): Int }
        """,
      findings: [
        #"1:16 ReservedNames: The name "Query.a(__b:)" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { a(_b: Int): Int }
        """),
    RuleCase(
      "reserved name of an input field",
      invalid: """
        type Query { a: Int }
        input A { __a: Int }
        """,
      findings: [
        #"2:11 ReservedNames: The name "A.__a" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { a: Int }
        input A { _a: Int }
        """),
    RuleCase(
      "reserved name of an enum value",
      invalid: """
        type Query { a: Int }
        enum A { __B }
        """,
      findings: [
        #"2:10 ReservedNames: The name "A.__B" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { a: Int }
        enum A { _B }
        """),
    RuleCase(
      "reserved name of a directive",
      invalid: """
        type Query { a: Int }
        directive @__a on FIELD
        """,
      findings: [
        #"2:11 ReservedNames: The name "@__a" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { a: Int }
        directive @_a on FIELD
        """),
    RuleCase(
      "reserved name of a directive's argument",
      invalid: """
        type Query { a: Int }
        directive @a(__b: Int) on FIELD
        """,
      findings: [
        #"2:14 ReservedNames: The name "@a(__b:)" is reserved: it starts with two underscores."#
      ],
      valid: """
        type Query { a: Int }
        directive @a(_b: Int) on FIELD
        """),
  ])
  func reservedNames(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "repeated fields of an object",
      invalid: """
        type Query { a: Int a: String }
        """,
      findings: [
        #"1:21 UniqueNames: "Query" has more than one field "a"."#
      ],
      valid: """
        type Query { a: Int b: String }
        """),
    RuleCase(
      "repeated fields of an interface",
      invalid: """
        type Query { a: Int }
        interface A { a: Int a: String }
        """,
      findings: [
        #"2:22 UniqueNames: "A" has more than one field "a"."#
      ],
      valid: """
        type Query { a: Int }
        interface A { a: Int b: String }
        """),
    RuleCase(
      "repeated a field in an extension",
      invalid: """
        type Query { a: Int }
        extend type Query { a: String }
        """,
      findings: [
        #"2:21 UniqueNames: "Query" has more than one field "a"."#
      ],
      valid: """
        type Query { a: Int }
        extend type Query { b: String }
        """),
    RuleCase(
      "repeated input fields",
      invalid: """
        type Query { a: Int }
        input A { a: Int a: Int }
        """,
      findings: [
        #"2:18 UniqueNames: "A" has more than one input field "a"."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: Int b: Int }
        """),
    RuleCase(
      "repeated enum values",
      invalid: """
        type Query { a: Int }
        enum A { B B }
        """,
      findings: [
        #"2:12 UniqueNames: "A" has more than one value "B"."#
      ],
      valid: """
        type Query { a: Int }
        enum A { B C }
        """),
    RuleCase(
      "repeated an enum value in an extension",
      invalid: """
        type Query { a: Int }
        enum A { B }
        extend enum A { B }
        """,
      findings: [
        #"3:17 UniqueNames: "A" has more than one value "B"."#
      ],
      valid: """
        type Query { a: Int }
        enum A { B }
        extend enum A { C }
        """),
    RuleCase(
      "repeated arguments of a field",
      invalid: """
        type Query { a(b: Int, b: Int): Int }
        """,
      findings: [
        #"1:24 UniqueNames: "Query.a" has more than one argument "b"."#
      ],
      valid: """
        type Query { a(b: Int, c: Int): Int }
        """),
    RuleCase(
      "repeated arguments of a directive",
      invalid: """
        type Query { a: Int }
        directive @a(b: Int, b: Int) on FIELD
        """,
      findings: [
        #"2:22 UniqueNames: "@a" has more than one argument "b"."#
      ],
      valid: """
        type Query { a: Int }
        directive @a(b: Int, c: Int) on FIELD
        """),
  ])
  func uniqueNames(_ rule: RuleCase) { rule.check() }
}
