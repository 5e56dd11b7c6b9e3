import BookUI
import BooksAPI
import GraphQLRuntime

@main
struct Program {
  static func main() {
    let shelf = ShelfQuery(first: 2, genre: .value(.novel))
    print(ShelfQuery._document.text)
    print(shelf)
    print(SearchQuery._document.text)
  }

  static func labels(of shelf: ShelfQuery.Data) -> [String] { shelf.books.map(\.bookCard.label) }
}
