import Testing

/// Rules about values (section 5.6).
@Suite struct ValueRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "strings, numbers and names for an integer",
      invalid: """
        { a: books(first: "1") { id } b: books(first: 1.0) { id } c: books(first: ONE) { id } }
        """,
      findings: [
        #"1:19 ArgumentValues: The argument "first" of "Query.books" is invalid: The "#
          + #"string "1" is not a value of "Int"."#,
        #"1:47 ArgumentValues: The argument "first" of "Query.books" is invalid: The "#
          + #"number "1.0" is not a value of "Int"."#,
        #"1:75 ArgumentValues: The argument "first" of "Query.books" is invalid: The enum "#
          + #"value "ONE" is not a value of "Int"."#,
      ],
      valid: "{ books(first: 1) { id } }"),
    DocumentRuleCase(
      "an integer beyond 32 bits",
      invalid: "{ a: books(first: 2147483648) { id } b: books(first: -2147483649) { id } }",
      findings: [
        #"1:19 ArgumentValues: The argument "first" of "Query.books" is invalid: "#
          + #""2147483648" does not fit into 32 bits."#,
        #"1:54 ArgumentValues: The argument "first" of "Query.books" is invalid: "#
          + #""-2147483649" does not fit into 32 bits."#,
      ],
      valid: "{ a: books(first: 2147483647) { id } b: books(first: -2147483648) { id } }"),
    DocumentRuleCase(
      "a number for an ID",
      invalid: "{ a: book(id: 1.5) { id } b: book(id: true) { id } }",
      findings: [
        #"1:15 ArgumentValues: The argument "id" of "Query.book" is invalid: The number "#
          + #""1.5" is not a value of "ID"."#,
        #"1:39 ArgumentValues: The argument "id" of "Query.book" is invalid: true is not "#
          + #"a value of "ID"."#,
      ],
      valid: """
        { a: book(id: 99999999999999999999) { id } b: book(id: "1") { id } }
        """),
    DocumentRuleCase(
      "a string or an infinite number for a float",
      invalid: """
        { a: found(rating: "1") { __typename } b: found(rating: 1e999) { __typename } }
        """,
      findings: [
        #"1:20 ArgumentValues: The argument "rating" of "Query.found" is invalid: The "#
          + #"string "1" is not a value of "Float"."#,
        #"1:57 ArgumentValues: The argument "rating" of "Query.found" is invalid: The "#
          + #"number "1e999" is not a value of "Float"."#,
      ],
      valid: "{ a: found(rating: 1) { __typename } b: found(rating: 1.5e2) { __typename } }"),
    DocumentRuleCase(
      "a number for a string",
      invalid: "{ found(text: 1) { __typename } }",
      findings: [
        #"1:15 ArgumentValues: The argument "text" of "Query.found" is invalid: The "#
          + #"number "1" is not a value of "String"."#
      ],
      valid: """
        { found(text: "1") { __typename } }
        """),
    DocumentRuleCase(
      "a number for a boolean",
      invalid: "{ found(exact: 0) { __typename } }",
      findings: [
        #"1:16 ArgumentValues: The argument "exact" of "Query.found" is invalid: The "#
          + #"number "0" is not a value of "Boolean"."#
      ],
      valid: "{ found(exact: false) { __typename } }"),
    DocumentRuleCase(
      "an unknown enum value",
      invalid: "{ books(genres: NOVELL) { id } }",
      findings: [
        #"1:17 ArgumentValues: The argument "genres" of "Query.books" is invalid: "#
          + #""NOVELL" is not a value of "Genre". Did you mean "NOVEL"?"#
      ],
      valid: "{ books(genres: NOVEL) { id } }"),
    DocumentRuleCase(
      "a string for an enum value",
      invalid: """
        { books(genres: ["NOVEL"]) { id } }
        """,
      findings: [
        #"1:18 ArgumentValues: The argument "genres" of "Query.books" is invalid: The "#
          + #"string "NOVEL" is not a value of "Genre". Enum values are written without "#
          + #"quotes: NOVEL."#
      ],
      valid: "{ books(genres: [NOVEL]) { id } }"),
    DocumentRuleCase(
      "null in a list of non-nulls",
      invalid: "{ books(genres: [null]) { id } }",
      findings: [
        #"1:18 ArgumentValues: The argument "genres" of "Query.books" is invalid: null is "#
          + #"not a value of "Genre!"."#
      ],
      valid: "{ books(genres: null) { id } }"),
    DocumentRuleCase(
      "input fields given twice, also in a custom scalar",
      invalid: "{ settings(value: { a: 1, b: [{ c: 1, c: 2 }] }) }",
      findings: [
        #"1:39 UniqueInputFields: The input field "c" is given more than once."#
      ],
      valid: """
        { settings(value: { a: 1, b: [{ c: null, d: X }, "s", 1e999] }) }
        """),
  ])
  func validatesScalarAndEnumValues(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a nested list for a list",
      invalid: "{ books(genres: [[NOVEL]]) { id } }",
      findings: [
        #"1:18 ArgumentValues: The argument "genres" of "Query.books" is invalid: A list "#
          + #"is not a value of "Genre"."#
      ],
      valid: "{ books(genres: [NOVEL]) { id } }"),
    DocumentRuleCase(
      "a wrong item",
      invalid: "{ works(ids: [1, [2, 1.5]]) { id } }",
      findings: [
        #"1:22 ArgumentValues: The argument "ids" of "Query.works" is invalid: The number "#
          + #""1.5" is not a value of "ID"."#
      ],
      valid: """
        { works(ids: [1, [2, "3"], null]) { id } }
        """),
    DocumentRuleCase(
      "a single wrong value",
      invalid: "{ works(ids: 1.5) { id } }",
      findings: [
        #"1:14 ArgumentValues: The argument "ids" of "Query.works" is invalid: The number "#
          + #""1.5" is not a value of "ID"."#
      ],
      valid: "{ works(ids: 1) { id } }"),
  ])
  func validatesListValues(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "an unknown input field",
      invalid: "{ books(filter: { genr: NOVEL }) { id } }",
      findings: [
        #"1:19 ArgumentValues: The argument "filter" of "Query.books" is invalid: "#
          + #""BookFilter" has no input field "genr". Did you mean "genre"?"#
      ],
      valid: "{ books(filter: { genre: NOVEL }) { id } }"),
    DocumentRuleCase(
      "an input field given twice",
      invalid: """
        { books(filter: { title: "a", title: "b" }) { id } }
        """,
      findings: [
        #"1:31 ArgumentValues: The argument "filter" of "Query.books" is invalid: The "#
          + #"input field "title" is given more than once."#
      ],
      valid: """
        { books(filter: { title: "a" }) { id } }
        """),
    DocumentRuleCase(
      "a required input field that is missing",
      invalid: "{ books(filter: { pages: { to: 1 } }) { id } }",
      findings: [
        #"1:26 ArgumentValues: The argument "filter" of "Query.books" is invalid: The "#
          + #"input field "Range.from" of type "Int!" is missing."#
      ],
      valid: "{ books(filter: { pages: { from: 1 } }) { id } }"),
    DocumentRuleCase(
      "null for a required input field",
      invalid: "{ books(filter: { pages: { from: null } }) { id } }",
      findings: [
        #"1:34 ArgumentValues: The argument "filter" of "Query.books" is invalid: null is "#
          + #"not a value of "Int!"."#
      ],
      valid: "{ books(filter: { pages: null }) { id } }"),
    DocumentRuleCase(
      "null for a non-null input field with a default value",
      invalid: "{ books(filter: { minimum: null }) { id } }",
      findings: [
        #"1:28 ArgumentValues: The argument "filter" of "Query.books" is invalid: null is "#
          + #"not a value of "Int!"."#
      ],
      valid: "{ books(filter: {}) { id } }"),
    DocumentRuleCase(
      "a scalar for an input object",
      invalid: """
        { books(filter: "a") { id } }
        """,
      findings: [
        #"1:17 ArgumentValues: The argument "filter" of "Query.books" is invalid: The "#
          + #"string "a" is not a value of "BookFilter"."#
      ],
      valid: """
        { books(filter: { title: "a" }) { id } }
        """),
    DocumentRuleCase(
      "the default value of a variable",
      invalid: "query A($a: BookFilter = { pages: 1 }) { books(filter: $a) { id } }",
      findings: [
        #"1:35 DefaultValues: The default value of "$a" is invalid: The number "1" is not "#
          + #"a value of "Range"."#
      ],
      valid: "query A($a: BookFilter = { pages: { from: 1 } }) { books(filter: $a) { id } }"),
  ])
  func validatesInputObjectValues(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "no field",
      invalid: "{ work(by: {}) { id } }",
      findings: [
        #"1:12 ArgumentValues: The argument "by" of "Query.work" is invalid: Exactly one "#
          + #"input field of "WorkReference" must be given, and it must not be null."#
      ],
      valid: "{ work(by: { id: 1 }) { id } }"),
    DocumentRuleCase(
      "two fields",
      invalid: """
        { work(by: { id: 1, title: "a" }) { id } }
        """,
      findings: [
        #"1:12 ArgumentValues: The argument "by" of "Query.work" is invalid: Exactly one "#
          + #"input field of "WorkReference" must be given, and it must not be null."#
      ],
      valid: """
        { work(by: { title: "a" }) { id } }
        """),
    DocumentRuleCase(
      "two fields, one of them null",
      invalid: "{ work(by: { id: 1, title: null }) { id } }",
      findings: [
        #"1:12 ArgumentValues: The argument "by" of "Query.work" is invalid: Exactly one "#
          + #"input field of "WorkReference" must be given, and it must not be null."#
      ],
      valid: "{ work { id } }"),
    DocumentRuleCase(
      "null",
      invalid: "{ works(by: [{ id: null }]) { id } }",
      findings: [
        #"1:14 ArgumentValues: The argument "by" of "Query.works" is invalid: Exactly one "#
          + #"input field of "WorkReference" must be given, and it must not be null."#
      ],
      valid: "{ works(by: { id: 1 }) { id } }"),
    DocumentRuleCase(
      "a nullable variable beside another field",
      invalid: """
        query A($a: ID) { work(by: { id: $a, title: "a" }) { id } }
        """,
      findings: [
        #"1:28 ArgumentValues: The argument "by" of "Query.work" is invalid: Exactly one "#
          + #"input field of "WorkReference" must be given, and it must not be null."#,
        #"1:34 VariableUsages: The variable "$a" of type "ID" is used for a field of a "#
          + #"OneOf input object, which cannot be null. Its type could be "ID!"."#,
      ],
      valid: "query A($a: ID!) { work(by: { id: $a }) { id } }"),
  ])
  func validatesOneOfValues(_ rule: DocumentRuleCase) { rule.check() }
}
