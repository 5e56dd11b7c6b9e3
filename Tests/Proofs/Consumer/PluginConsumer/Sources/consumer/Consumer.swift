import Bookshop
import GraphQLRuntime
import LibraryAPI

/// Builds a query with each module and reads a response.
@main
struct Consumer {
  static func main() throws {
    let books = try Shop.buildQuery { $0.books(genre: .novel) { $0.title().genre() } }.operation()
    print(books.document)
    let shelf = try books.response(
      from: Array(#"{"data":{"books":[{"title":"Emma","genre":"NOVEL"}]}}"#.utf8))
    for book in shelf.data?.books ?? [] { print(book.label) }

    let loan = Library.LoanInput(card: "7", book: "1")
    let borrow = try Library.buildMutation { $0.borrow(loan: loan) { $0.name().loans() } }
      .operation()
    print(borrow.document)
    let response = try borrow.response(
      from: Array(#"{"data":{"borrow":{"name":"Ada","loans":["Emma"]}}}"#.utf8))
    if let reader = response.data?.borrow { print(reader.name, reader.hasLoans) }
  }
}
