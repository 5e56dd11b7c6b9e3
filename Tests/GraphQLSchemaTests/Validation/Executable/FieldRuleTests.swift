import Testing

/// Rules about fields (sections 5.3.1 and 5.3.3).
@Suite struct FieldRuleTests {
  @Test(arguments: [
    DocumentRuleCase(
      "a field that the object type does not have",
      invalid: "{ book(id: 1) { titel } }",
      findings: [
        #"1:17 KnownFields: "Book" has no field "titel". Did you mean "title"?"#
      ],
      valid: "{ book(id: 1) { title } }"),
    DocumentRuleCase(
      "an alias for a field that does not exist",
      invalid: "{ book(id: 1) { title: name } }",
      findings: [
        #"1:24 KnownFields: "Book" has no field "name"."#
      ],
      valid: "{ book(id: 1) { name: title } }"),
    DocumentRuleCase(
      "a field of possible types only",
      invalid: "{ work { pages } }",
      findings: [
        #"1:10 KnownFields: "Work" has no field "pages". Did you mean to select it in "#
          + #""... on Book" or "... on Film"?"#
      ],
      valid: "{ work { ... on Book { pages } } }"),
    DocumentRuleCase(
      "a field of a union",
      invalid: "{ found { id } }",
      findings: [
        #"1:11 KnownFields: "Found" has no field "id". Did you mean to select it in "... "#
          + #"on Book"?"#
      ],
      valid: "{ found { __typename ... on Book { id } } }"),
    DocumentRuleCase(
      "introspection away from the query root",
      invalid: "{ book(id: 1) { __schema { description } } }",
      findings: [
        #"1:17 KnownFields: "Book" has no field "__schema"."#
      ],
      valid: """
        { __schema { description } __type(name: "Book") { name } book(id: 1) { __typename } }
        """),
    DocumentRuleCase(
      "introspection in a mutation",
      invalid: """
        mutation { __type(name: "Book") { name } }
        """,
      findings: [
        #"1:12 KnownFields: "Mutation" has no field "__type"."#
      ],
      valid: """
        mutation { __typename addBook(title: "a") { id } }
        """),
    DocumentRuleCase(
      "nothing is said about what is below an unknown field",
      invalid: """
        { author { name { first } ...A } }
        fragment A on Author { name }
        """,
      findings: [
        #"1:3 KnownFields: "Query" has no field "author"."#
      ],
      valid: """
        { book(id: 1) { authors { name ...A } } }
        fragment A on Author { name }
        """),
  ])
  func knownFields(_ rule: DocumentRuleCase) { rule.check() }

  @Test(arguments: [
    DocumentRuleCase(
      "a selection set on a scalar",
      invalid: "{ settings { theme } }",
      findings: [
        #"1:12 LeafFields: "settings" of type "JSON" cannot have a selection set."#
      ],
      valid: "{ settings }"),
    DocumentRuleCase(
      "a selection set on an enum",
      invalid: "{ book(id: 1) { genre { name } } }",
      findings: [
        #"1:23 LeafFields: "genre" of type "Genre" cannot have a selection set."#
      ],
      valid: "{ book(id: 1) { genre } }"),
    DocumentRuleCase(
      "no selection set on an object",
      invalid: "{ book(id: 1) }",
      findings: [
        #"1:3 LeafFields: "book" of type "Book" needs a selection set. Did you mean "book "#
          + #"{ … }"?"#
      ],
      valid: "{ book(id: 1) { id } }"),
    DocumentRuleCase(
      "no selection set on a list of interfaces",
      invalid: "{ works }",
      findings: [
        #"1:3 LeafFields: "works" of type "Work" needs a selection set. Did you mean "#
          + #""works { … }"?"#
      ],
      valid: "{ works { id } }"),
    DocumentRuleCase(
      "no selection set on a list of unions",
      invalid: "{ found }",
      findings: [
        #"1:3 LeafFields: "found" of type "Found" needs a selection set. Did you mean "#
          + #""found { … }"?"#
      ],
      valid: "{ found { __typename } }"),
  ])
  func leafFields(_ rule: DocumentRuleCase) { rule.check() }
}
