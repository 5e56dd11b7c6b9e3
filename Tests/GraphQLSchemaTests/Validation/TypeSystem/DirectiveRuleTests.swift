import Testing

/// Rules about directives (section 3.13).
@Suite struct DirectiveRuleTests {
  @Test(arguments: [
    RuleCase(
      "a directive used in its own argument",
      invalid: """
        type Query { a: Int }
        directive @a(b: Int @a) on ARGUMENT_DEFINITION
        """,
      findings: [
        #"2:11 DirectiveDefinitionCycles: "@a" cannot be used in its own definition."#
      ],
      valid: """
        type Query { a: Int }
        directive @b on ARGUMENT_DEFINITION
        directive @a(b: Int @b) on ARGUMENT_DEFINITION
        """),
    RuleCase(
      "directives that use each other",
      invalid: """
        type Query { a: Int }
        directive @a(b: Int @b) on ARGUMENT_DEFINITION
        directive @b(a: Int @a) on ARGUMENT_DEFINITION
        """,
      findings: [
        #"2:11 DirectiveDefinitionCycles: "@a" cannot be used in its own definition."#
      ],
      valid: """
        type Query { a: Int }
        directive @a(b: Int @b) on ARGUMENT_DEFINITION
        directive @b(a: Int) on ARGUMENT_DEFINITION
        """),
    RuleCase(
      "a directive used in the type of its argument",
      invalid: """
        type Query { a: Int }
        directive @a(b: I) on INPUT_FIELD_DEFINITION
        input I { a: Int @a }
        """,
      findings: [
        #"2:11 DirectiveDefinitionCycles: "@a" cannot be used in its own definition."#
      ],
      valid: """
        type Query { a: Int }
        directive @a(b: I) on INPUT_FIELD_DEFINITION
        input I { a: I }
        """),
  ])
  func directiveDefinitionCycles(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an unknown directive",
      invalid: """
        type Query { a: Int @depricated }
        """,
      findings: [
        #"1:21 KnownDirectives: Unknown directive "@depricated". Did you mean "@deprecated"?"#
      ],
      valid: """
        type Query { a: Int @deprecated }
        """)
  ])
  func knownDirectives(_ rule: RuleCase) { rule.check() }

  /// Every location of a type-system document; the directive replaces the percent sign.
  @Test(arguments: [
    ("SCHEMA", "schema % { query: Query }\ntype Query { a: Int }\n", "2:8"),
    ("SCALAR", "type Query { a: Int }\nscalar A %", "3:10"),
    ("OBJECT", "type Query % { a: Int }", "2:12"),
    ("FIELD_DEFINITION", "type Query { a: Int % }", "2:21"),
    ("ARGUMENT_DEFINITION", "type Query { a(b: Int %): Int }", "2:23"),
    ("INTERFACE", "type Query { a: Int }\ninterface I % { a: Int }", "3:13"),
    ("UNION", "type Query { a: Int }\nunion U % = Query", "3:9"),
    ("ENUM", "type Query { a: Int }\nenum E % { A }", "3:8"),
    ("ENUM_VALUE", "type Query { a: Int }\nenum E { A % }", "3:12"),
    ("INPUT_OBJECT", "type Query { a: Int }\ninput I % { a: Int }", "3:9"),
    ("INPUT_FIELD_DEFINITION", "type Query { a: Int }\ninput I { a: Int % }", "3:18"),
  ])
  func directiveLocations(location: String, template: String, place: String) {
    let document = template.replacing("%", with: "@d")
    RuleCase(
      location, invalid: "directive @d on FIELD\n" + document,
      findings: [
        #"\#(place) DirectiveLocations: "@d" cannot be applied to \#(location). It can be applied to FIELD."#
      ],
      valid: "directive @d on \(location)\n" + document
    ).check()
  }

  @Test(arguments: [
    RuleCase(
      "a directive applied twice",
      invalid: """
        directive @d on OBJECT
        type Query @d @d { a: Int }
        """,
      findings: [
        #"2:15 UniqueDirectives: "@d" can be applied only once here."#
      ],
      valid: """
        directive @d repeatable on OBJECT
        type Query @d @d { a: Int }
        """),
    RuleCase(
      "a directive applied again in an extension",
      invalid: """
        directive @d on OBJECT
        type Query @d { a: Int }
        extend type Query @d
        """,
      findings: [
        #"3:19 UniqueDirectives: "@d" can be applied only once here."#
      ],
      valid: """
        directive @d repeatable on OBJECT
        type Query @d { a: Int }
        extend type Query @d
        """),
  ])
  func uniqueDirectives(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a directive's argument given twice",
      invalid: """
        type Query { a: Int @deprecated(reason: "a", reason: "b") }
        """,
      findings: [
        #"1:46 UniqueArguments: The argument "reason" of "@deprecated" is given more than once."#
      ],
      valid: """
        type Query { a: Int @deprecated(reason: "a") }
        """)
  ])
  func uniqueArguments(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an unknown argument of a directive",
      invalid: """
        type Query { a: Int @deprecated(reson: "a") }
        """,
      findings: [
        #"1:33 KnownArguments: "@deprecated" has no argument "reson". Did you mean "reason"?"#
      ],
      valid: """
        type Query { a: Int @deprecated(reason: "a") }
        """)
  ])
  func knownArguments(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a missing argument of a directive",
      invalid: """
        type Query { a: Int }
        scalar A @specifiedBy
        """,
      findings: [
        #"2:10 RequiredArguments: "@specifiedBy" needs its argument "url" of type "String!"."#
      ],
      valid: """
        type Query { a: Int }
        scalar A @specifiedBy(url: "https://example.org")
        """)
  ])
  func requiredArguments(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a wrong argument of a directive",
      invalid: """
        type Query { a: Int @deprecated(reason: 1) }
        """,
      findings: [
        #"1:41 ArgumentValues: The argument "reason" of "@deprecated" is invalid: The number "1" is not a value of "String"."#
      ],
      valid: """
        type Query { a: Int @deprecated(reason: "a") }
        """)
  ])
  func argumentValues(_ rule: RuleCase) { rule.check() }
}
