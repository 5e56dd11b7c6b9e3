import Testing

@testable import GraphQLRuntime

@Suite struct DocumentReaderTests {
  @Test(arguments: [
    ("query Shop{shop{name}}", "Shop"),
    ("query Shop($a:Int!){shop{name ...Card}}fragment Card on Shop{id}", "Shop"),
    ("fragment Card on Shop{id ...Name}fragment Name on Shop{name}", "Card"),
    ("fragment Card on Shop{id}mutation Rename{rename{...Card}}", "Rename"),
    ("query query{shop{name}}", "query"),
    ("fragment fragment on Shop{id}", "fragment"),
    ("{shop{name}}", nil), ("query{shop{name}}", ""),
    ("fragment Card on Shop{id}query{shop{...Card}}", ""),
  ])
  func theNameIsThatOfTheOperationOrTheFirstFragment(text: String, name: String?) {
    #expect(GraphQL.DocumentReader.read(text)?.name == name)
  }
}
