import GraphQLSchema
import Testing

/// A document that breaks a rule, the expected findings, and a similar document that does not break
/// it.
struct DocumentRuleCase: Sendable, CustomTestStringConvertible {
  let title: String
  let invalid: String
  /// Every finding as `line:column Rule: message suggestion`.
  let findings: [String]
  let valid: String

  init(_ title: String, invalid: String, findings: [String], valid: String) {
    self.title = title
    self.invalid = invalid
    self.findings = findings
    self.valid = valid
  }

  var testDescription: String { title }

  func check(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    #expect(problems(inDocument: invalid) == findings, sourceLocation: sourceLocation)
    #expect(problems(inDocument: valid) == [], sourceLocation: sourceLocation)
  }
}

/// The findings when a document is parsed and validated against `library`, one line each.
func problems(inDocument text: String) -> [String] {
  do {
    return try parse(text).validate(against: library.get()).map(summary)
  } catch {
    return ["\(error)"]
  }
}

/// The schema of the documents in these tests.
let library = Result {
  try ServiceSchema(
    sdl: """
      directive @audit(level: Int = 1) on QUERY | VARIABLE_DEFINITION
      directive @tag(name: String!) repeatable on FIELD | INLINE_FRAGMENT
      directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
      type Query {
        book(id: ID!): Book
        books(first: Int! = 10, filter: BookFilter, genres: [Genre!]): [Book!]!
        work(by: WorkReference): Work
        works(by: [WorkReference!], ids: [[ID!]]): [Work]
        found(text: String, rating: Float, exact: Boolean): [Found!]!
        settings(value: JSON): JSON
        unused: Unused
      }
      type Mutation {
        addBook(title: String!): Book
      }
      type Subscription {
        bookAdded(genre: Genre): Book
        authorAdded: Author
      }
      interface Item { id: ID! }
      interface Work implements Item { id: ID! title: String }
      type Book implements Work & Item { id: ID! title: String pages: Int! genre: Genre authors: [Author!] sequel: Book }
      type Film implements Work & Item { id: ID! title: String pages: String length(unit: String): Int sequel: Film }
      type Author { name: String! books(first: Int): [Book!] length: Float }
      interface Unused { id: ID! }
      interface UnusedToo implements Unused { id: ID! }
      union Found = Book | Author
      enum Genre { NOVEL POETRY }
      scalar JSON
      input BookFilter { genre: Genre pages: Range minimum: Int! = 0 title: String }
      input Range { from: Int! to: Int }
      input WorkReference @oneOf { id: ID title: String filter: BookFilter }
      """)
}
