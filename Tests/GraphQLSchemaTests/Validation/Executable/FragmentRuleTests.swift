import Testing

/// Rules about fragments (section 5.5).
@Suite struct FragmentRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "two fragments with the same name",
      invalid: """
        { ...A }
        fragment A on Query { settings }
        fragment A on Query { settings }
        """,
      findings: [
        #"3:10 UniqueFragmentNames: There is more than one fragment "A"."#
      ],
      valid: """
        { ...A ...B }
        fragment A on Query { settings }
        fragment B on Query { settings }
        """),
    DocumentRuleCase(
      "a fragment on an unknown type",
      invalid: """
        { ...A }
        fragment A on Querry { settings }
        """,
      findings: [
        #"2:15 KnownTypes: Unknown type "Querry". Did you mean "Query"?"#
      ],
      valid: """
        { ...A }
        fragment A on Query { settings }
        """),
    DocumentRuleCase(
      "an inline fragment on an unknown type",
      invalid: "{ work { ... on Boook { id } } }",
      findings: [
        #"1:17 KnownTypes: Unknown type "Boook". Did you mean "Book"?"#
      ],
      valid: "{ work { ... on Book { id } } }"),
    DocumentRuleCase(
      "a fragment on a scalar",
      invalid: """
        { ...A }
        fragment A on JSON { a }
        """,
      findings: [
        #"2:15 FragmentsOnCompositeTypes: A fragment cannot be on "JSON", which is not an "#
          + #"object, interface or union type."#
      ],
      valid: """
        { ...A }
        fragment A on Query { settings }
        """),
    DocumentRuleCase(
      "inline fragments on an enum and an input object",
      invalid: "{ ... on Genre { a } ... on Range { a } }",
      findings: [
        #"1:10 FragmentsOnCompositeTypes: A fragment cannot be on "Genre", which is not "#
          + #"an object, interface or union type."#,
        #"1:29 FragmentsOnCompositeTypes: A fragment cannot be on "Range", which is not "#
          + #"an object, interface or union type."#,
      ],
      valid: "{ ... on Query { settings } ... { settings } }"),
    DocumentRuleCase(
      "a fragment that is not used",
      invalid: """
        { settings }
        fragment A on Query { settings }
        """,
      findings: [
        #"2:10 UsedFragments: The fragment "A" is never used."#
      ],
      valid: """
        { ...A }
        fragment A on Query { settings }
        """),
    DocumentRuleCase(
      "a fragment that is used by unused ones",
      invalid: """
        { settings }
        fragment A on Query { ...B }
        fragment B on Query { settings }
        """,
      findings: [
        #"2:10 UsedFragments: The fragment "A" is never used."#,
        #"3:10 UsedFragments: The fragment "B" is never used."#,
      ],
      valid: """
        { ...A }
        fragment A on Query { ...B }
        fragment B on Query { settings }
        """),
  ])
  func validatesFragmentDeclarations(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a spread of an unknown fragment",
      invalid: """
        { ...Boks }
        fragment Books on Query { books { id ...Books2 } }
        """,
      findings: [
        #"1:6 KnownFragments: Unknown fragment "Boks". Did you mean "Books"?"#,
        #"2:10 UsedFragments: The fragment "Books" is never used."#,
        #"2:41 KnownFragments: Unknown fragment "Books2". Did you mean "Books"?"#,
      ],
      valid: """
        { ...Books }
        fragment Books on Query { books { id } }
        """),
    DocumentRuleCase(
      "a fragment that spreads itself",
      invalid: """
        { book(id: 1) { ...A } }
        fragment A on Book { sequel { ...A } }
        """,
      findings: [
        #"2:34 FragmentCycles: The fragment "A" spreads itself."#
      ],
      valid: """
        { book(id: 1) { ...A } }
        fragment A on Book { sequel { id } }
        """),
    DocumentRuleCase(
      "fragments that spread each other",
      invalid: """
        { book(id: 1) { ...A } }
        fragment A on Book { id ...B }
        fragment B on Book { ...C }
        fragment C on Book { id ...A ...D }
        fragment D on Book { id }
        """,
      findings: [
        #"2:28 FragmentCycles: The fragment "A" spreads itself through "B", "C"."#
      ],
      valid: """
        { book(id: 1) { ...A } }
        fragment A on Book { id ...B ...D }
        fragment B on Book { ...C }
        fragment C on Book { id ...D }
        fragment D on Book { id }
        """),
    DocumentRuleCase(
      "every cycle is reported",
      invalid: """
        { book(id: 1) { ...A ...B } }
        fragment A on Book { ...A }
        fragment B on Book { ...B }
        """,
      findings: [
        #"2:25 FragmentCycles: The fragment "A" spreads itself."#,
        #"3:25 FragmentCycles: The fragment "B" spreads itself."#,
      ],
      valid: """
        { book(id: 1) { ...A ...B } }
        fragment A on Book { id }
        fragment B on Book { id }
        """),
  ])
  func validatesFragmentSpreads(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "an object within another one",
      invalid: "{ book(id: 1) { ... on Film { id } } }",
      findings: [
        #"1:24 PossibleFragments: A fragment on "Film" never applies within "Book"."#
      ],
      valid: "{ book(id: 1) { ... on Book { id } } }"),
    DocumentRuleCase(
      "an object within an interface it does not implement",
      invalid: "{ work { ... on Author { name } } }",
      findings: [
        #"1:17 PossibleFragments: A fragment on "Author" never applies within "Work"."#
      ],
      valid: "{ work { ... on Film { id } } }"),
    DocumentRuleCase(
      "an object within a union it is no member of",
      invalid: "{ found { ... on Film { id } } }",
      findings: [
        #"1:18 PossibleFragments: A fragment on "Film" never applies within "Found"."#
      ],
      valid: "{ found { ... on Author { name } } }"),
    DocumentRuleCase(
      "an interface within an object that does not implement it",
      invalid: "{ book(id: 1) { authors { ... on Work { id } } } }",
      findings: [
        #"1:34 PossibleFragments: A fragment on "Work" never applies within "Author"."#
      ],
      valid: "{ book(id: 1) { ... on Work { id } } }"),
    DocumentRuleCase(
      "a union within an object that is no member",
      invalid: "{ ... on Film { ... on Found { __typename } } }",
      findings: [
        #"1:10 PossibleFragments: A fragment on "Film" never applies within "Query"."#,
        #"1:24 PossibleFragments: A fragment on "Found" never applies within "Film"."#,
      ],
      valid: "{ book(id: 1) { ... on Found { __typename } } }"),
    DocumentRuleCase(
      "interfaces without a common object",
      invalid: "{ work { ... on Unused { id } } }",
      findings: [
        #"1:17 PossibleFragments: A fragment on "Unused" never applies within "Work"."#
      ],
      valid: "{ found { ... on Item { ... on Work { ... on Found { __typename } } } } }"),
    DocumentRuleCase(
      "interfaces that no object implements",
      invalid: "{ work { ... on UnusedToo { id } } }",
      findings: [
        #"1:17 PossibleFragments: A fragment on "UnusedToo" never applies within "Work"."#
      ],
      valid: "{ unused { ... on UnusedToo { ... on Unused { id } } } }"),
    DocumentRuleCase(
      "named fragments",
      invalid: """
        { work { ...A } }
        fragment A on Author { name }
        """,
      findings: [
        #"1:13 PossibleFragments: A fragment on "Author" never applies within "Work"."#
      ],
      valid: """
        { found { ...A } }
        fragment A on Author { name }
        """),
  ])
  func possibleFragments(_ rule: DocumentRuleCase) { rule.check() }
}
