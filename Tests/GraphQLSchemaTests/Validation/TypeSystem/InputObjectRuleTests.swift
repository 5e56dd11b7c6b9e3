import Testing

/// Rules about input objects (section 3.10).
@Suite struct InputObjectRuleTests {
  @Test(arguments: [
    RuleCase(
      "a non-null field of @oneOf",
      invalid: """
        type Query { a: Int }
        input A @oneOf { a: Int! b: Int }
        """,
      findings: [
        #"2:21 OneOfFields: "A.a" must be nullable, because its type is "@oneOf"."#
      ],
      valid: """
        type Query { a: Int }
        input A @oneOf { a: Int b: Int }
        """),
    RuleCase(
      "a default value in @oneOf",
      invalid: """
        type Query { a: Int }
        input A @oneOf { a: Int = 1 b: Int }
        """,
      findings: [
        #"2:27 OneOfFields: "A.a" cannot have a default value, because its type is "@oneOf"."#
      ],
      valid: """
        type Query { a: Int }
        input A @oneOf { a: Int b: Int }
        """),
    RuleCase(
      "a non-null field that an extension adds to @oneOf",
      invalid: """
        type Query { a: Int }
        input A @oneOf { a: Int }
        extend input A { b: Int! }
        """,
      findings: [
        #"3:21 OneOfFields: "A.b" must be nullable, because its type is "@oneOf"."#
      ],
      valid: """
        type Query { a: Int }
        input A @oneOf { a: Int }
        extend input A { b: Int }
        """),
  ])
  func oneOfFields(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an input object that requires itself",
      invalid: """
        type Query { a: Int }
        input A { a: A! }
        """,
      findings: [
        #"2:11 InputObjectCycles: "A" cannot have a finite value: it contains itself through the non-null fields "a". Make one of the fields nullable, or a list."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: A }
        """),
    RuleCase(
      "input objects that require each other",
      invalid: """
        type Query { a: Int }
        input A { b: B! }
        input B { c: C! }
        input C { a: A! }
        """,
      findings: [
        #"2:11 InputObjectCycles: "A" cannot have a finite value: it contains itself through the non-null fields "b.c.a". Make one of the fields nullable, or a list."#
      ],
      valid: """
        type Query { a: Int }
        input A { b: B! }
        input B { c: [C!]! }
        input C { a: A! }
        """),
  ])
  func inputObjectCycles(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a @oneOf that only contains itself",
      invalid: """
        type Query { a: Int }
        input A @oneOf { a: A }
        """,
      findings: [
        #"2:7 OneOfInhabitable: "A" cannot have a finite value: each of its fields leads back to itself. Add a field of another type, or make one a list."#
      ],
      valid: """
        type Query { a: Int }
        input A @oneOf { a: A b: Int }
        """),
    RuleCase(
      "@oneOf inputs that only contain each other",
      invalid: """
        type Query { a: Int }
        input A @oneOf { b: B }
        input B @oneOf { a: A }
        """,
      findings: [
        #"2:7 OneOfInhabitable: "A" cannot have a finite value: each of its fields leads back to itself. Add a field of another type, or make one a list."#,
        #"3:7 OneOfInhabitable: "B" cannot have a finite value: each of its fields leads back to itself. Add a field of another type, or make one a list."#,
      ],
      valid: """
        type Query { a: Int }
        input A @oneOf { b: B }
        input B @oneOf { a: [A] }
        """),
  ])
  func oneOfInhabitable(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a default value that contains itself",
      invalid: """
        type Query { a: Int }
        input A { a: A = {} }
        """,
      findings: [
        #"2:18 DefaultValueCycles: The default value of "A.a" contains itself."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: A = { a: null } }
        """),
    RuleCase(
      "default values that contain each other",
      invalid: """
        type Query { a: Int }
        input A { b: B = {} }
        input B { a: A = {} }
        """,
      findings: [
        #"2:18 DefaultValueCycles: The default value of "A.b" contains itself."#
      ],
      valid: """
        type Query { a: Int }
        input A { b: B = {} }
        input B { a: A = { b: null } }
        """),
    RuleCase(
      "a default value that contains itself in a list",
      invalid: """
        type Query { a: Int }
        input A { a: [A] = [{}] }
        """,
      findings: [
        #"2:20 DefaultValueCycles: The default value of "A.a" contains itself."#
      ],
      valid: """
        type Query { a: Int }
        input A { a: [A] = [] }
        """),
  ])
  func defaultValueCycles(_ rule: RuleCase) { rule.check() }
}
