extension Graph.QueryError {
  static let noPage = Graph.QueryError(.noData, message: "the response has no page")

  static let noCursor = violation(
    "there is another page, but the server has sent no cursor to request it")

  static let repeatedPage = violation("the next page is one that was loaded before")

  static let emptyPages = violation("many pages in a row have no new items")
}
