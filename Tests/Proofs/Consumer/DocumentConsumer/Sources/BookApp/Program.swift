import BookUI
import BooksAPI
import Foundation
import GraphQLRuntime

/// Prints operations and reads responses with a fragment of another module.
@main
struct Program {
  static func main() throws {
    let shelf = try ShelfQuery(first: 2, genre: .novel).operation()
    print(shelf.document)
    let author = #"{"id":"2","name":"Austen"}"#
    let book = #"{"id":"1","title":"Emma","genre":"NOVEL","author":\#(author)}"#
    let response = try shelf.response(from: Array(#"{"data":{"books":[\#(book)]}}"#.utf8))
    for book in response.data?.books ?? [] { print(book.bookCard.label, book.genre == .novel) }

    let search = try SearchQuery(id: "1").operation()
    print(search.document)
    let found = try search.response(from: Array(#"{"data":{"book":\#(book)}}"#.utf8))
    print(found.data?.book?.bookCard.author.name ?? "none")
    for card in response.data?.books.map(\.bookCard) ?? [] {
      let coded = try JSONEncoder().encode(card)
      print("coded", try JSONDecoder().decode(BookCard.self, from: coded) == card)
    }
  }
}

// A fragment of another module.
extension BookCard: Codable {}
