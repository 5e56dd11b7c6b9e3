import Testing

/// Field selection merging (section 5.3.2).
@Suite struct FieldMergingRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "different fields under one name",
      invalid: "{ book(id: 1) { a: title a: id } }",
      findings: [
        #"1:26 FieldMerging: The fields "title" and "id" cannot be merged under one name. "#
          + #"Use different aliases to select both."#
      ],
      valid: "{ book(id: 1) { a: title a: title } }"),
    DocumentRuleCase(
      "a field and an alias",
      invalid: """
        { work {
          title: id
          title
        } }
        """,
      findings: [
        #"3:3 FieldMerging: The fields "id" and "title" cannot be merged under one name. "#
          + #"Use different aliases to select both."#
      ],
      valid: """
        { work {
          id
          title
        } }
        """),
    DocumentRuleCase(
      "every field that differs from the first",
      invalid: """
        { book(id: 1) {
          a: id
          a: __typename
          a: title
        } }
        """,
      findings: [
        #"3:3 FieldMerging: The fields "id" and "__typename" cannot be merged under one "#
          + #"name. Use different aliases to select both."#,
        #"4:3 FieldMerging: The fields "id" and "title" cannot be merged under one name. "#
          + #"Use different aliases to select both."#,
      ],
      valid: """
        { book(id: 1) {
          a: id
          b: __typename
          c: title
        } }
        """),
    DocumentRuleCase(
      "a field of an interface and one of an object type",
      invalid: "{ work { a: title ... on Film { a: __typename } } }",
      findings: [
        #"1:33 FieldMerging: The fields "title" and "__typename" cannot be merged under "#
          + #"one name. Use different aliases to select both."#
      ],
      valid: "{ work { a: title ... on Film { a: title } } }"),
    DocumentRuleCase(
      "fields in fragments",
      invalid: """
        { work { ...A ...B } }
        fragment A on Work { a: id ...C }
        fragment B on Book { ...C }
        fragment C on Item { ... on Film { a: __typename } }
        """,
      findings: [
        #"4:36 FieldMerging: The fields "id" and "__typename" cannot be merged under one "#
          + #"name. Use different aliases to select both."#
      ],
      valid: """
        { work { ...A ...B } }
        fragment A on Work { a: id ...C }
        fragment B on Book { ...C }
        fragment C on Item { ... on Film { a: id } }
        """),
    DocumentRuleCase(
      "fields below merged fields",
      invalid: """
        {
          book(id: 1) { sequel { a: id } }
          book(id: 1) { sequel { a: title } }
        }
        """,
      findings: [
        #"3:26 FieldMerging: The fields "id" and "title" cannot be merged under one name. "#
          + #"Use different aliases to select both."#
      ],
      valid: """
        {
          book(id: 1) { sequel { a: id } }
          book(id: 1) { sequel { b: title } }
        }
        """),
    DocumentRuleCase(
      "fields in a fragment that nothing spreads",
      invalid: """
        { settings }
        fragment A on Book { a: id a: title }
        """,
      findings: [
        #"2:10 UsedFragments: The fragment "A" is never used."#,
        #"2:28 FieldMerging: The fields "id" and "title" cannot be merged under one name. "#
          + #"Use different aliases to select both."#,
      ],
      valid: """
        { settings ...A }
        fragment A on Query { a: settings a: settings }
        """),
    DocumentRuleCase(
      "fields in fragments that spread each other",
      invalid: """
        { settings }
        fragment A on Book { a: id ...B }
        fragment B on Book { a: title ...A }
        """,
      findings: [
        #"2:10 UsedFragments: The fragment "A" is never used."#,
        #"2:31 FragmentCycles: The fragment "A" spreads itself through "B"."#,
        #"3:10 UsedFragments: The fragment "B" is never used."#,
        #"3:22 FieldMerging: The fields "id" and "title" cannot be merged under one name. "#
          + #"Use different aliases to select both."#,
      ],
      valid: "{ settings }"),
  ])
  func rejectsMergingDifferentFields(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "different values",
      invalid: "{ books(first: 1) { id } books(first: 2) { id } }",
      findings: [
        #"1:26 FieldMerging: The field "books" cannot be merged with itself with "#
          + #"different arguments. Use different aliases to select both."#
      ],
      valid: "{ books(first: 1) { id } books(first: 1) { id } }"),
    DocumentRuleCase(
      "an argument that is missing",
      invalid: "{ books { id } books(first: 10) { id } }",
      findings: [
        #"1:16 FieldMerging: The field "books" cannot be merged with itself with "#
          + #"different arguments. Use different aliases to select both."#
      ],
      valid: "{ books { id } a: books(first: 10) { id } }"),
    DocumentRuleCase(
      "different variables",
      invalid: """
        query A($a: Int!, $b: Int!) {
          books(first: $a) { id }
          books(first: $b) { id }
        }
        """,
      findings: [
        #"3:3 FieldMerging: The field "books" cannot be merged with itself with different "#
          + #"arguments. Use different aliases to select both."#
      ],
      valid: """
        query A($a: Int!, $b: Int!) {
          books(first: $a) { id }
          books(first: $a) { title }
          b: books(first: $b) { id }
        }
        """),
    DocumentRuleCase(
      "items in another order",
      invalid: "{ books(genres: [NOVEL, POETRY]) { id } books(genres: [POETRY, NOVEL]) { id } }",
      findings: [
        #"1:41 FieldMerging: The field "books" cannot be merged with itself with "#
          + #"different arguments. Use different aliases to select both."#
      ],
      valid: "{ books(genres: [NOVEL, POETRY]) { id } books(genres: [NOVEL, POETRY]) { id } }"),
    DocumentRuleCase(
      "different input fields",
      invalid:
        "{ books(filter: { pages: { from: 1 } }) { id } books(filter: { pages: { from: 2 } }) { id } }",
      findings: [
        #"1:48 FieldMerging: The field "books" cannot be merged with itself with "#
          + #"different arguments. Use different aliases to select both."#
      ],
      valid: """
        { books(first: 1, filter: { title: "a", pages: { from: 1, to: 2 } }) { id } books(filter: { pages: { to: 2, from: 1 }, title: "a" }, first: 1) { id } }
        """),
    DocumentRuleCase(
      "another argument",
      invalid: """
        { found(rating: 1) { __typename } found(text: "1") { __typename } }
        """,
      findings: [
        #"1:35 FieldMerging: The field "found" cannot be merged with itself with "#
          + #"different arguments. Use different aliases to select both."#
      ],
      valid: #"{ found(text: "A") { __typename } found(text: "\u0041") { __typename } }"#),
  ])
  func rejectsMergingDifferentArguments(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "different scalars of different objects",
      invalid: "{ work { ... on Book { pages } ... on Film { pages } } }",
      findings: [
        #"1:46 FieldMerging: Values of the types "Int!" and "String" cannot be merged "#
          + #"under one name. Use different aliases to select both."#
      ],
      valid: "{ work { ... on Book { pages } ... on Film { a: pages } } }"),
    DocumentRuleCase(
      "nullable and non-null",
      invalid:
        "{ work { ... on Book { a: sequel { pages } } ... on Film { a: sequel { pages: length } } } }",
      findings: [
        #"1:72 FieldMerging: Values of the types "Int!" and "Int" cannot be merged under "#
          + #"one name. Use different aliases to select both."#
      ],
      valid: "{ work { ... on Book { a: sequel { title } } ... on Film { a: sequel { title } } } }"),
    DocumentRuleCase(
      "a list and a single value",
      invalid:
        "{ work { ... on Book { a: authors { name } } ... on Film { a: sequel { name: title } } } }",
      findings: [
        #"1:60 FieldMerging: Values of the types "[Author!]" and "Film" cannot be merged "#
          + #"under one name. Use different aliases to select both."#
      ],
      valid: "{ work { ... on Book { a: sequel { id } } ... on Film { a: sequel { id } } } }"),
    DocumentRuleCase(
      "an object and a scalar",
      invalid: "{ work { ... on Book { a: sequel { id } } ... on Film { a: title } } }",
      findings: [
        #"1:57 FieldMerging: Values of the types "Book" and "String" cannot be merged "#
          + #"under one name. Use different aliases to select both."#
      ],
      valid: "{ work { ... on Book { a: title } ... on Film { a: title } } }"),
    DocumentRuleCase(
      "values deep below different objects",
      invalid: """
        { work {
          ... on Book { a: sequel { a: sequel { b: pages } } }
          ... on Film { a: sequel { a: sequel { b: pages } } }
        } }
        """,
      findings: [
        #"3:41 FieldMerging: Values of the types "Int!" and "String" cannot be merged "#
          + #"under one name. Use different aliases to select both."#
      ],
      valid: """
        { work {
          ... on Book { a: sequel { a: sequel { b: title } } }
          ... on Film { a: sequel { a: sequel { b: title } } }
        } }
        """),
    DocumentRuleCase(
      "meta-fields have a type, too",
      invalid: "{ found { ... on Book { a: id } ... on Author { a: __typename } } }",
      findings: [
        #"1:49 FieldMerging: Values of the types "ID!" and "String!" cannot be merged "#
          + #"under one name. Use different aliases to select both."#
      ],
      valid: "{ found { ... on Book { a: __typename } ... on Author { a: name } } }"),
  ])
  func rejectsMergingDifferentShapes(_ rule: DocumentRuleCase) { rule.check() }
}
