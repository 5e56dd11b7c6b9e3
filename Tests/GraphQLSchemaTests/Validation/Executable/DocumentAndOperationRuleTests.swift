import Testing

/// Rules about documents (section 5.1) and operations (section 5.2).
@Suite struct DocumentAndOperationRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "type definitions",
      invalid: """
        { settings }
        type A { b: Int }
        scalar B
        """,
      findings: [
        #"2:6 ExecutableDefinitions: The type definition "A" cannot be executed."#,
        #"3:8 ExecutableDefinitions: The type definition "B" cannot be executed."#,
      ],
      valid: "{ settings }"),
    DocumentRuleCase(
      "type extensions",
      invalid: """
        { settings }
        extend type Query { a: Int }
        """,
      findings: [
        #"2:13 ExecutableDefinitions: The type extension "Query" cannot be executed."#
      ],
      valid: "{ settings }"),
    DocumentRuleCase(
      "schema definitions",
      invalid: """
        { settings }
        schema { query: Query }
        extend schema @audit
        """,
      findings: [
        #"2:1 ExecutableDefinitions: A schema definition cannot be executed."#,
        #"3:1 ExecutableDefinitions: A schema extension cannot be executed."#,
      ],
      valid: "{ settings }"),
    DocumentRuleCase(
      "directive definitions",
      invalid: """
        { settings }
        directive @a on FIELD
        """,
      findings: [
        #"2:11 ExecutableDefinitions: The directive definition "@a" cannot be executed."#
      ],
      valid: "{ settings }"),
  ])
  func executableDefinitions(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "two operations with the same name",
      invalid: """
        query A { settings }
        query A { settings }
        """,
      findings: [
        #"2:7 UniqueOperationNames: There is more than one operation "A"."#
      ],
      valid: """
        query A { settings }
        query B { settings }
        """),
    DocumentRuleCase(
      "operations of different types",
      invalid: """
        query A { settings }
        mutation A { addBook(title: "a") { id } }
        """,
      findings: [
        #"2:10 UniqueOperationNames: There is more than one operation "A"."#
      ],
      valid: """
        query A { settings }
        mutation B { addBook(title: "a") { id } }
        """),
  ])
  func uniqueOperationNames(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a query without a name beside another one",
      invalid: """
        { settings }
        query A { settings }
        """,
      findings: [
        #"1:1 LoneAnonymousOperation: An operation needs a name if the document has "#
          + #"several operations."#
      ],
      valid: """
        query B { settings }
        query A { settings }
        """),
    DocumentRuleCase(
      "two operations without a name",
      invalid: """
        { settings }
        mutation { addBook(title: "a") { id } }
        """,
      findings: [
        #"1:1 LoneAnonymousOperation: An operation needs a name if the document has "#
          + #"several operations."#,
        #"2:1 LoneAnonymousOperation: An operation needs a name if the document has "#
          + #"several operations."#,
      ],
      valid: "{ settings }"),
  ])
  func loneAnonymousOperation(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "two root fields",
      invalid: """
        subscription {
          bookAdded { id }
          authorAdded { name }
        }
        """,
      findings: [
        #"3:3 SingleRootField: A subscription selects exactly one field at its root."#
      ],
      valid: """
        subscription {
          bookAdded { id }
          bookAdded { title }
        }
        """),
    DocumentRuleCase(
      "the same field twice under different names",
      invalid: "subscription { bookAdded { id } b: bookAdded { id } }",
      findings: [
        #"1:36 SingleRootField: A subscription selects exactly one field at its root."#
      ],
      valid: "subscription { b: bookAdded { id } b: bookAdded { id } }"),
    DocumentRuleCase(
      "root fields in fragments",
      invalid: """
        subscription { ...A ... { authorAdded { name } } }
        fragment A on Subscription { bookAdded { id } ...A2 }
        fragment A2 on Subscription { authorAdded { name } }
        """,
      findings: [
        #"2:30 SingleRootField: A subscription selects exactly one field at its root."#
      ],
      valid: """
        subscription { ...A ... { bookAdded { id } } }
        fragment A on Subscription { bookAdded { id } ...A2 }
        fragment A2 on Subscription { bookAdded { title } }
        """),
    DocumentRuleCase(
      "an introspection field",
      invalid: "subscription { __typename }",
      findings: [
        #"1:16 SingleRootField: A subscription cannot select the introspection field "#
          + #""__typename" at its root."#
      ],
      valid: "subscription { bookAdded { __typename } }"),
    DocumentRuleCase(
      "an introspection field with an alias",
      invalid: "subscription { a: __typename }",
      findings: [
        #"1:19 SingleRootField: A subscription cannot select the introspection field "#
          + #""__typename" at its root."#
      ],
      valid: "subscription { a: bookAdded { id } }"),
    DocumentRuleCase(
      "conditions on a root field",
      invalid: """
        subscription A($a: Boolean!) {
          bookAdded @skip(if: $a) { id }
        }
        """,
      findings: [
        #"2:13 SingleRootField: "@skip" cannot be applied at the root of a subscription."#
      ],
      valid: """
        subscription A($a: Boolean!) {
          bookAdded { id @skip(if: $a) }
        }
        """),
    DocumentRuleCase(
      "conditions on fragments at the root",
      invalid: """
        subscription {
          ...A @include(if: true)
          ... @skip(if: true) { bookAdded { id } }
        }
        fragment A on Subscription { bookAdded @tag(name: "a") @include(if: true) { id } }
        """,
      findings: [
        #"2:8 SingleRootField: "@include" cannot be applied at the root of a subscription."#,
        #"3:7 SingleRootField: "@skip" cannot be applied at the root of a subscription."#,
        #"5:56 SingleRootField: "@include" cannot be applied at the root of a subscription."#,
      ],
      valid: """
        subscription {
          ...A
          ... { bookAdded { id } }
        }
        fragment A on Subscription { bookAdded @tag(name: "a") { id } }
        """),
  ])
  func singleRootField(_ rule: DocumentRuleCase) { rule.check() }
}
