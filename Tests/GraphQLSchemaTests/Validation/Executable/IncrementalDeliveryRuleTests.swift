import GraphQLSchema
import Testing

/// Rules about `@defer` and `@stream`, of the draft about incremental delivery.
@Suite struct IncrementalDeliveryRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "the same label twice",
      invalid: """
        { books @stream(label: "a") { id ... @defer(label: "a") { title } } }
        """,
      findings: [
        #"1:52 IncrementalLabels: More than one "@defer" or "@stream" has the label "a"."#
      ],
      valid: """
        { books @stream(label: "a") { id ... @defer(label: "b") { title } ... @defer { pages } } }
        """),
    DocumentRuleCase(
      "the same label in two fragments",
      invalid: """
        { books { ...A ...B } }
        fragment A on Book { ... @defer(label: "a") { id } }
        fragment B on Book { ... @defer(label: "a") { id } }
        """,
      findings: [
        #"3:40 IncrementalLabels: More than one "@defer" or "@stream" has the label "a"."#
      ],
      valid: """
        { books { ...A ...A } }
        fragment A on Book { ... @defer(label: "a") { id } ... @defer(label: null) { id } }
        """),
    DocumentRuleCase(
      "a variable as label",
      invalid: "query ($label: String) { books { ... @defer(label: $label) { id } } }",
      findings: [
        #"1:52 IncrementalLabels: The label of "@defer" must be a string without variables."#
      ],
      valid: "query ($if: Boolean!) { books { ... @defer(if: $if) { id } } }"),
  ])
  func validatesLabels(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a streamed field that is not a list",
      invalid: "{ book(id: 1) @stream { id } }",
      findings: [
        #"1:15 StreamedLists: "book" of type "Book" is not a list, so "@stream" cannot be applied."#
      ],
      valid: "{ books @stream { id authors @stream { name } } }"),
    DocumentRuleCase(
      "a streamed field that is selected twice",
      invalid: "{ books @stream { id } ...A } fragment A on Query { books { title } }",
      findings: [
        #"1:53 FieldMerging: The field "books" cannot be merged with another one, "#
          + #"because it has "@stream". Use different aliases to select both."#
      ],
      valid: "{ books @stream { id } ...A } fragment A on Query { other: books { title } }"),
    DocumentRuleCase(
      "two streamed fields of types that exclude each other",
      invalid: """
        { found { ... on Book { a: authors @stream { name } } ... on Author { a: books { id } } } }
        """,
      findings: [
        #"1:71 FieldMerging: The field "authors" cannot be merged with another one, "#
          + #"because it has "@stream". Use different aliases to select both."#
      ],
      valid: """
        { found { ... on Book { a: authors { name } } ... on Author { a: books { id } } } }
        """),
  ])
  func validatesStreams(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a deferred part at the root of a mutation",
      invalid: """
        mutation { ... @defer { addBook(title: "") { id } } }
        """,
      findings: [
        #"1:16 IncrementalRootFields: "@defer" cannot be applied at the root of a mutation."#
      ],
      valid: """
        mutation { addBook(title: "") { ... @defer { id authors @stream { name } } } }
        """),
    DocumentRuleCase(
      "a deferred part in a fragment at the root of mutations",
      invalid: """
        mutation A { ...C } mutation B { ...C ...C }
        fragment C on Mutation { ... { ...D @defer(if: false) } }
        fragment D on Mutation { addBook(title: "") { id } }
        """,
      findings: [
        #"2:37 IncrementalRootFields: "@defer" cannot be applied at the root of a mutation."#
      ],
      valid: "{ ... @defer { books @stream { id } } }"),
    DocumentRuleCase(
      "a deferred part at the root of a subscription",
      invalid: "subscription { ... @defer(if: false) { bookAdded { id } } }",
      findings: [
        #"1:20 IncrementalRootFields: "@defer" cannot be applied at the root of a subscription."#
      ],
      valid: "subscription { ... { bookAdded { id } } }"),
  ])
  func validatesRootFields(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a deferred part in a subscription",
      invalid:
        "subscription { bookAdded { ... @defer { id } authors @stream(if: true) { name } } }",
      findings: [
        #"1:32 IncrementalSubscriptions: "@defer" cannot be applied in a subscription. "#
          + #"Did you mean "if: false"?"#,
        #"1:54 IncrementalSubscriptions: "@stream" cannot be applied in a subscription. "#
          + #"Did you mean "if: false"?"#,
      ],
      valid: """
        subscription ($if: Boolean!) {
          bookAdded { ... @defer(if: $if) { id } authors @stream(if: false) { name } }
        }
        """),
    DocumentRuleCase(
      "a deferred part in a fragment of a subscription and a query",
      invalid: """
        query A { books { ...C } } subscription B { bookAdded { ...C } }
        fragment C on Book { sequel { ... @defer { id } } ...C2 }
        fragment C2 on Book { sequel @include(if: true) { ... @defer { id } } }
        """,
      findings: [
        #"2:35 IncrementalSubscriptions: "@defer" cannot be applied in a subscription. "#
          + #"Did you mean "if: false"?"#,
        #"3:55 IncrementalSubscriptions: "@defer" cannot be applied in a subscription. "#
          + #"Did you mean "if: false"?"#,
      ],
      valid: """
        query A { books { ...C } } subscription B($if: Boolean!) { bookAdded { ...C @skip(if: $if) } }
        fragment C on Book { sequel { ... @defer { id } } }
        """),
    DocumentRuleCase(
      "a selection that is never left out of a subscription",
      invalid: """
        subscription { bookAdded { ... @skip(if: false) @defer { id } } }
        """,
      findings: [
        #"1:49 IncrementalSubscriptions: "@defer" cannot be applied in a subscription. "#
          + #"Did you mean "if: false"?"#
      ],
      valid: "subscription { bookAdded { ... @include(if: false) { ... @defer { id } } } }"),
  ])
  func validatesSubscriptions(_ rule: DocumentRuleCase) { rule.check() }

  /// The specification has neither directive, so a schema may give the names another meaning.
  @Test func directivesWithAnotherMeaningHaveNoRules() throws {
    let schema = try ServiceSchema(
      sdl: """
        directive @stream(topic: String, label: String) repeatable on FIELD | SUBSCRIPTION
        directive @defer(label: String) on FIELD
        type Query { a: Int }
        type Mutation { a: Int }
        """)
    let document = try parse(
      """
      mutation ($label: String) {
        a @stream(topic: "b") @defer(label: $label)
        a @stream(topic: "b", label: "c") @defer(label: "c")
      }
      """)
    #expect(document.validate(against: schema) == [])
  }

  /// Services support the directives without listing them; the suggestion is what is missing.
  @Test(arguments: ["{ ... @defer(label: \"a\") { a } }", "{ b @stream(initialCount: 2) }"])
  func undefinedDirectivesComeWithTheirDefinition(text: String) throws {
    let sdl = "type Query { a: Int b: [Int] }"
    let document = try parse(text)
    let findings = document.validate(against: try ServiceSchema(sdl: sdl))
    #expect(findings.map(\.code) == ["KnownDirectives"])
    let parts = try #require(findings.first?.suggestion).split(separator: "schema: ")
    #expect(parts[0] == "If the service supports it, add this to the ")
    let schema = try ServiceSchema(sdl: "\(sdl)\n\(parts[1])")
    #expect(document.validate(against: schema) == [])
  }
}
