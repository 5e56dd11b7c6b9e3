import GraphQLSchema

/// Why no schema could be downloaded. It contains no text from a request's header fields, and in
/// texts of the server their values are replaced.
enum DownloadError: Error, Equatable {
  case noConnection(reason: String)
  case timeout(seconds: Int)
  case tooLarge(limit: Int)
  case tooManyRedirects
  /// A redirect without a target, or one that a request with a body cannot follow.
  case badRedirect(status: Int)
  /// A redirect from https to http.
  case insecureRedirect(status: Int)
  /// With the server's message, if its body is JSON with one.
  case status(Int, message: String?)
  case html
  case notJSON
  /// JSON without a schema and without an error.
  case notSchema
  case introspectionDisabled(message: String)
  case refused(message: String)

  /// - Parameter endpoint: the address in a form that may be shown.
  func diagnostic(endpoint: String) -> Diagnostic {
    let (message, advice) = parts
    return Diagnostic(code: "download", message: "\(endpoint): \(message)", suggestion: advice)
  }

  private var parts: (message: String, advice: String?) {
    switch self {
    case .noConnection(let reason):
      ("The connection failed: \(reason).", "Check the address and the server.")
    case .timeout(let seconds):
      ("The server did not respond within \(seconds) seconds.", "Try again later.")
    case .tooLarge(let limit): ("The response has more than \(limit) bytes.", nil)
    case .tooManyRedirects: ("The server redirects too many times.", "Check the address.")
    case .badRedirect(let status):
      ("The server redirects (\(status)) to a URL that is not allowed.", "Check the address.")
    case .insecureRedirect(let status):
      (
        "The server redirects (\(status)) from https to http, which does not protect the "
          + "schema from changes.",
        "Ask the owner of the server for an https URL."
      )
    case .status(let status, let text): Self.parts(status: status, text)
    case .html:
      (
        "The server responds with a web page (HTML).",
        "Check that the address is the GraphQL endpoint, often /graphql, and whether it requires a "
          + "token."
      )
    case .notJSON:
      ("The response is not JSON.", "Check that the address is the GraphQL endpoint.")
    case .notSchema:
      (
        "The response contains neither a schema nor an error.",
        "Check that the address is the GraphQL endpoint."
      )
    case .introspectionDisabled(let message):
      (
        "The server does not allow introspection: \(quoted(message)).",
        "Use a server that allows it, or ask the owner of the server for the schema."
      )
    case .refused(let message): ("The server refuses introspection: \(quoted(message)).", nil)
    }
  }

  private static func parts(status: Int, _ text: String?) -> (message: String, advice: String?) {
    let (message, advice) = parts(status: status)
    return (message + (text.map { " Its message is \(quoted($0))." } ?? ""), advice)
  }

  private static func parts(status: Int) -> (message: String, advice: String?) {
    switch status {
    case 401: ("The server requires authentication (401).", "Specify a token with --header.")
    case 403: ("The server refuses access (403).", "Check the token in --header.")
    case 404:
      ("The server has no resource at this address (404).", "Check the path, often /graphql.")
    case 405: ("The server does not accept POST requests at this address (405).", "Check the path.")
    case 429: ("The server received too many requests (429).", "Try again later.")
    // A server of plain files has this response to every POST request.
    case 501: ("The server does not accept POST requests (501).", "Check the address.")
    case 500...: ("The server reports an internal error (\(status)).", "Try again later.")
    default: ("The server responds with status \(status).", nil)
    }
  }
}
