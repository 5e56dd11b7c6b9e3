import Testing

/// Rules about variables (section 5.8).
@Suite struct VariableRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "two variables with the same name",
      invalid: "query A($a: ID!, $a: ID!) { book(id: $a) { id } }",
      findings: [
        #"1:18 UniqueVariables: There is more than one variable "$a" in this operation."#
      ],
      valid: "query A($a: ID!) { book(id: $a) { id } }"),
    DocumentRuleCase(
      "an unknown type",
      invalid: "query A($a: [Gnre!]) { books(genres: $a) { id } }",
      findings: [
        #"1:13 KnownTypes: Unknown type "Gnre". Did you mean "Genre"?"#
      ],
      valid: "query A($a: [Genre!]) { books(genres: $a) { id } }"),
    DocumentRuleCase(
      "output types",
      invalid: "query A($a: Book, $b: [Work!], $c: Found!) { settings(value: [$a, $b, $c]) }",
      findings: [
        #"1:13 VariableInputTypes: The variable "$a" cannot have the type "Book", which "#
          + #"is not an input type."#,
        #"1:23 VariableInputTypes: The variable "$b" cannot have the type "[Work!]", "#
          + #"which is not an input type."#,
        #"1:36 VariableInputTypes: The variable "$c" cannot have the type "Found!", which "#
          + #"is not an input type."#,
      ],
      valid: "query A($a: BookFilter, $b: [ID!], $c: JSON!) { settings(value: [$a, $b, $c]) }"),
  ])
  func validatesVariableDefinitions(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a variable that is not defined",
      invalid: "query A($id: ID!) { book(id: $idd) { id } a: book(id: $id) { id } }",
      findings: [
        #"1:30 KnownVariables: The variable "$idd" is not defined by the query "A". Did "#
          + #"you mean "$id"?"#
      ],
      valid: "query A($id: ID!) { book(id: $id) { id } }"),
    DocumentRuleCase(
      "a variable that is not defined by a query without a name",
      invalid: "{ book(id: $a) { id } }",
      findings: [
        #"1:12 KnownVariables: The variable "$a" is not defined by the query. Define it: "#
          + #"($a: ID!)."#
      ],
      valid: "query ($a: ID!) { book(id: $a) { id } }"),
    DocumentRuleCase(
      "a variable in a list, an input field and a directive",
      invalid: "{ books(genres: [$a], filter: { title: $b }) { id @skip(if: $c) } }",
      findings: [
        #"1:18 KnownVariables: The variable "$a" is not defined by the query. Define it: "#
          + #"($a: Genre!)."#,
        #"1:40 KnownVariables: The variable "$b" is not defined by the query. Define it: "#
          + #"($b: String)."#,
        #"1:61 KnownVariables: The variable "$c" is not defined by the query. Define it: "#
          + #"($c: Boolean!)."#,
      ],
      valid:
        "query ($a: Genre!, $b: String, $c: Boolean!) { books(genres: [$a], filter: { title: $b }) { id @skip(if: $c) } }"
    ),
    DocumentRuleCase(
      "a variable in a fragment of an operation that does not define it",
      invalid: """
        query A($a: ID!) { ...F }
        mutation B { ...G }
        query C { ...F }
        fragment F on Query { book(id: $a) { id } }
        fragment G on Mutation { __typename }
        """,
      findings: [
        #"4:32 KnownVariables: The variable "$a" is not defined by the query "C". "#
          + #"Define it: ($a: ID!)."#
      ],
      valid: """
        query A($a: ID!) { ...F }
        mutation B { ...G }
        query C($a: ID!) { ...F }
        fragment F on Query { book(id: $a) { id } }
        fragment G on Mutation { __typename }
        """),
    DocumentRuleCase(
      "a variable where nothing is known about the type",
      invalid: "{ a(b: $c) ... on A { b @d(e: $f) } settings(g: $h) }",
      findings: [
        #"1:3 KnownFields: "Query" has no field "a"."#,
        #"1:8 KnownVariables: The variable "$c" is not defined by the query."#,
        #"1:19 KnownTypes: Unknown type "A"."#,
        #"1:25 KnownDirectives: Unknown directive "@d"."#,
        #"1:31 KnownVariables: The variable "$f" is not defined by the query."#,
        #"1:46 KnownArguments: "Query.settings" has no argument "g"."#,
        #"1:49 KnownVariables: The variable "$h" is not defined by the query."#,
      ],
      valid: "query ($c: JSON) { settings(value: { a: [$c] }) }"),
    DocumentRuleCase(
      "a variable that is not used",
      invalid: "query A($a: ID!, $b: Int) { book(id: $a) { id } }",
      findings: [
        #"1:18 UsedVariables: The variable "$b" is never used by the query "A"."#
      ],
      valid: "query A($a: ID!) { book(id: $a) { id } }"),
    DocumentRuleCase(
      "a variable that another operation uses",
      invalid: """
        query A($a: ID!) { settings }
        query B($a: ID!) { ...F }
        fragment F on Query { ...G }
        fragment G on Query { book(id: $a) { id } }
        """,
      findings: [
        #"1:9 UsedVariables: The variable "$a" is never used by the query "A"."#
      ],
      valid: """
        query A { settings }
        query B($a: ID!) { ...F }
        fragment F on Query { ...G }
        fragment G on Query { book(id: $a) { id } }
        """),
  ])
  func reportsUndefinedAndUnusedVariables(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "another type",
      invalid: "query A($a: Int!) { book(id: $a) { id } }",
      findings: [
        #"1:30 VariableUsages: The variable "$a" of type "Int!" is used where "ID!" is "#
          + #"expected. Its type could be "ID!"."#
      ],
      valid: "query A($a: ID!) { book(id: $a) { id } }"),
    DocumentRuleCase(
      "nullable for non-null",
      invalid: "query A($a: ID) { book(id: $a) { id } }",
      findings: [
        #"1:28 VariableUsages: The variable "$a" of type "ID" is used where "ID!" is "#
          + #"expected. Its type could be "ID!"."#
      ],
      valid: "query A($a: ID = 1) { book(id: $a) { id } }"),
    DocumentRuleCase(
      "a default value of null",
      invalid: "query A($a: ID = null) { book(id: $a) { id } }",
      findings: [
        #"1:35 VariableUsages: The variable "$a" of type "ID" is used where "ID!" is "#
          + #"expected. Its type could be "ID!"."#
      ],
      valid: "query A($a: Int = null) { books(first: $a) { id } }"),
    DocumentRuleCase(
      "a list and its item",
      invalid: "query A($a: Genre!) { books(genres: $a) { id } }",
      findings: [
        #"1:37 VariableUsages: The variable "$a" of type "Genre!" is used where "#
          + #""[Genre!]" is expected. Its type could be "[Genre!]"."#
      ],
      valid: "query A($a: Genre!) { books(genres: [$a]) { id } }"),
    DocumentRuleCase(
      "an item and its list",
      invalid: "query A($a: [ID!]!) { book(id: $a) { id } }",
      findings: [
        #"1:32 VariableUsages: The variable "$a" of type "[ID!]!" is used where "ID!" is "#
          + #"expected. Its type could be "ID!"."#
      ],
      valid: "query A($a: [ID!]!) { works(ids: [$a]) { id } }"),
    DocumentRuleCase(
      "a list of nullable items",
      invalid: "query A($a: [Genre]) { books(genres: $a) { id } }",
      findings: [
        #"1:38 VariableUsages: The variable "$a" of type "[Genre]" is used where "#
          + #""[Genre!]" is expected. Its type could be "[Genre!]"."#
      ],
      valid: "query A($a: [Genre!]!) { books(genres: $a) { id } }"),
    DocumentRuleCase(
      "a nullable item of a list of non-nulls",
      invalid: "query A($a: Genre) { books(genres: [$a]) { id } }",
      findings: [
        #"1:37 VariableUsages: The variable "$a" of type "Genre" is used where "Genre!" "#
          + #"is expected. Its type could be "Genre!"."#
      ],
      valid: "query A($a: Genre = NOVEL) { books(genres: [$a]) { id } }"),
    DocumentRuleCase(
      "a nullable input field",
      invalid: "query A($a: Int) { books(filter: { pages: { from: $a } }) { id } }",
      findings: [
        #"1:51 VariableUsages: The variable "$a" of type "Int" is used where "Int!" is "#
          + #"expected. Its type could be "Int!"."#
      ],
      valid:
        "query A($a: Int) { books(filter: { pages: { from: 1, to: $a }, minimum: $a }) { id } }"),
    DocumentRuleCase(
      "a single value for a list of input objects",
      invalid: "query A($a: Int!) { works(by: { id: $a }) { id } }",
      findings: [
        #"1:37 VariableUsages: The variable "$a" of type "Int!" is used where "ID" is "#
          + #"expected. Its type could be "ID!"."#
      ],
      valid: "query A($a: ID!) { works(by: { id: $a }) { id } }"),
    DocumentRuleCase(
      "a nullable variable for the field of a OneOf input object",
      invalid: "query A($a: ID) { work(by: { id: $a }) { id } }",
      findings: [
        #"1:34 VariableUsages: The variable "$a" of type "ID" is used for a field of a "#
          + #"OneOf input object, which cannot be null. Its type could be "ID!"."#
      ],
      valid: "query A($a: ID = 1) { work(by: { id: $a }) { id } }"),
    DocumentRuleCase(
      "a variable in a fragment",
      invalid: """
        query A($a: String) { ...F }
        query B($a: ID!) { ...F }
        fragment F on Query { book(id: $a) { id } }
        """,
      findings: [
        #"3:32 VariableUsages: The variable "$a" of type "String" is used where "ID!" is "#
          + #"expected. Its type could be "ID!"."#
      ],
      valid: """
        query A($a: ID! = "a") { ...F }
        query B($a: ID!) { ...F }
        fragment F on Query { book(id: $a) { id } }
        """),
    DocumentRuleCase(
      "a variable for a directive",
      invalid: "query A($a: Boolean) { settings @include(if: $a) }",
      findings: [
        #"1:46 VariableUsages: The variable "$a" of type "Boolean" is used where "#
          + #""Boolean!" is expected. Its type could be "Boolean!"."#
      ],
      valid: "query A($a: Boolean!) { settings @include(if: $a) }"),
    DocumentRuleCase(
      "a variable as a custom scalar",
      invalid: "query A($a: Int) { settings(value: $a) }",
      findings: [
        #"1:36 VariableUsages: The variable "$a" of type "Int" is used where "JSON" is "#
          + #"expected. Its type could be "JSON"."#
      ],
      valid: "query A($a: Int) { settings(value: [$a]) }"),
  ])
  func validatesTypesOfVariableUsages(_ rule: DocumentRuleCase) { rule.check() }
}
