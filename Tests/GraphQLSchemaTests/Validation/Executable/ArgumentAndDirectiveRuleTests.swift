import Testing

/// Rules about arguments (section 5.4) and directives (section 5.7).
@Suite struct ArgumentAndDirectiveRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "an argument that the field does not have",
      invalid: "{ books(frist: 1) { id } }",
      findings: [
        #"1:9 KnownArguments: "Query.books" has no argument "frist". Did you mean "first"?"#
      ],
      valid: "{ books(first: 1) { id } }"),
    DocumentRuleCase(
      "an argument that the directive does not have",
      invalid: "{ settings @include(unless: false) }",
      findings: [
        #"1:12 RequiredArguments: "@include" needs its argument "if" of type "Boolean!"."#,
        #"1:21 KnownArguments: "@include" has no argument "unless"."#,
      ],
      valid: "{ settings @include(if: false) }"),
    DocumentRuleCase(
      "an argument given twice",
      invalid: "{ books(first: 1, first: 1) { id } }",
      findings: [
        #"1:19 UniqueArguments: The argument "first" of "Query.books" is given more than "#
          + #"once."#
      ],
      valid: "{ books(first: 1) { id } }"),
    DocumentRuleCase(
      "an argument of a directive given twice",
      invalid: "{ settings @include(if: true, if: true) }",
      findings: [
        #"1:31 UniqueArguments: The argument "if" of "@include" is given more than once."#
      ],
      valid: "{ settings @include(if: true) }"),
    DocumentRuleCase(
      "an argument of an unknown field given twice",
      invalid: "{ a(b: 1, b: 1) }",
      findings: [
        #"1:3 KnownFields: "Query" has no field "a"."#,
        #"1:11 UniqueArguments: The argument "b" of "Query.a" is given more than once."#,
      ],
      valid: "{ settings(value: 1) }"),
    DocumentRuleCase(
      "a required argument that is missing",
      invalid: "{ book { id } }",
      findings: [
        #"1:3 RequiredArguments: "Query.book" needs its argument "id" of type "ID!"."#
      ],
      valid: "{ book(id: 1) { id } }"),
    DocumentRuleCase(
      "a required argument of a directive that is missing",
      invalid: "{ settings @tag }",
      findings: [
        #"1:12 RequiredArguments: "@tag" needs its argument "name" of type "String!"."#
      ],
      valid: """
        { settings @tag(name: "a") }
        """),
    DocumentRuleCase(
      "null for a required argument",
      invalid: "{ book(id: null) { id } }",
      findings: [
        #"1:12 ArgumentValues: The argument "id" of "Query.book" is invalid: null is not "#
          + #"a value of "ID!"."#
      ],
      valid: """
        { book(id: "") { id } }
        """),
    DocumentRuleCase(
      "null for a non-null argument with a default value",
      invalid: "{ books(first: null) { id } }",
      findings: [
        #"1:16 ArgumentValues: The argument "first" of "Query.books" is invalid: null is "#
          + #"not a value of "Int!"."#
      ],
      valid: "{ books { id } }"),
  ])
  func validatesArguments(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "an unknown directive",
      invalid: "{ settings @skp(if: true) }",
      findings: [
        #"1:12 KnownDirectives: Unknown directive "@skp". Did you mean "@skip"?"#
      ],
      valid: "{ settings @skip(if: true) }"),
    DocumentRuleCase(
      "a directive in a wrong location",
      invalid: "query A @skip(if: true) { settings }",
      findings: [
        #"1:9 DirectiveLocations: "@skip" cannot be applied to QUERY. It can be applied "#
          + #"to FIELD, FRAGMENT_SPREAD, INLINE_FRAGMENT."#
      ],
      valid: "query A @audit { settings }"),
    DocumentRuleCase(
      "directives on fragments",
      invalid: """
        { ...A @tag(name: "a") ... @audit { settings } }
        fragment A on Query @skip(if: true) { settings }
        """,
      findings: [
        #"1:8 DirectiveLocations: "@tag" cannot be applied to FRAGMENT_SPREAD. It can be "#
          + #"applied to FIELD, INLINE_FRAGMENT."#,
        #"1:28 DirectiveLocations: "@audit" cannot be applied to INLINE_FRAGMENT. It can "#
          + #"be applied to QUERY, VARIABLE_DEFINITION."#,
        #"2:21 DirectiveLocations: "@skip" cannot be applied to FRAGMENT_DEFINITION. It "#
          + #"can be applied to FIELD, FRAGMENT_SPREAD, INLINE_FRAGMENT."#,
      ],
      valid: """
        { ...A @skip(if: true) ... @tag(name: "a") { settings } }
        fragment A on Query { settings }
        """),
    DocumentRuleCase(
      "directives on variables",
      invalid: """
        query A($a: JSON @tag(name: "a")) { settings(value: $a) }
        """,
      findings: [
        #"1:18 DirectiveLocations: "@tag" cannot be applied to VARIABLE_DEFINITION. It "#
          + #"can be applied to FIELD, INLINE_FRAGMENT."#
      ],
      valid: "query A($a: JSON @audit(level: 2)) { settings(value: $a) }"),
    DocumentRuleCase(
      "a directive for mutations and subscriptions",
      invalid: """
        mutation A @audit { addBook(title: "a") { id } }
        subscription B @audit { bookAdded { id } }
        """,
      findings: [
        #"1:12 DirectiveLocations: "@audit" cannot be applied to MUTATION. It can be "#
          + #"applied to QUERY, VARIABLE_DEFINITION."#,
        #"2:16 DirectiveLocations: "@audit" cannot be applied to SUBSCRIPTION. It can be "#
          + #"applied to QUERY, VARIABLE_DEFINITION."#,
      ],
      valid: """
        mutation A { addBook(title: "a") { id } }
        subscription B { bookAdded { id } }
        """),
    DocumentRuleCase(
      "a directive of the type system",
      invalid: "{ settings @deprecated }",
      findings: [
        #"1:12 DirectiveLocations: "@deprecated" cannot be applied to FIELD. It can be "#
          + #"applied to FIELD_DEFINITION, ARGUMENT_DEFINITION, INPUT_FIELD_DEFINITION, "#
          + #"ENUM_VALUE."#
      ],
      valid: "{ settings }"),
    DocumentRuleCase(
      "a directive applied twice",
      invalid: "{ settings @skip(if: true) @skip(if: false) }",
      findings: [
        #"1:28 UniqueDirectives: "@skip" can be applied only once here."#
      ],
      valid: """
        { settings @tag(name: "a") @tag(name: "b") }
        """),
    DocumentRuleCase(
      "a value of the wrong type",
      invalid: "{ settings @skip(if: 1) }",
      findings: [
        #"1:22 ArgumentValues: The argument "if" of "@skip" is invalid: The number "1" is "#
          + #"not a value of "Boolean"."#
      ],
      valid: "{ settings @skip(if: true) }"),
  ])
  func validatesDirectives(_ rule: DocumentRuleCase) { rule.check() }
}
