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
  case status(Int)
  case html
  case notJSON
  case introspectionDisabled(message: String)
  case refused(message: String)

  /// - Parameter endpoint: the address in a form that may be shown.
  func diagnostic(endpoint: String) -> Diagnostic {
    let (message, advice) = parts
    return Diagnostic(code: "download", message: "\(endpoint): \(message)", suggestion: advice)
  }

  private var parts: (message: String, advice: String?) {
    switch self {
    case .noConnection(let reason): ("There is no connection: \(reason).", "Check the address.")
    case .timeout(let seconds):
      ("The server did not respond within \(seconds) seconds.", "Try again later.")
    case .tooLarge(let limit): ("The response has more than \(limit) bytes.", nil)
    case .tooManyRedirects: ("The server redirects again and again.", "Check the address.")
    case .badRedirect(let status):
      ("The server redirects (\(status)) to where no request can follow.", "Check the address.")
    case .insecureRedirect(let status):
      (
        "The server redirects (\(status)) from https to http, where anyone on the way could change the "
          + "schema.",
        "Ask the server's owner for an address with https."
      )
    case .status(let status): Self.parts(status: status)
    case .html:
      (
        "The server responds with a web page (HTML).",
        "Check that the address is the GraphQL endpoint, often /graphql, and whether it asks for a "
          + "token."
      )
    case .notJSON:
      ("The response is not JSON.", "Check that the address is the GraphQL endpoint.")
    case .introspectionDisabled(let message):
      (
        "The server does not allow introspection: \(quoted(message)).",
        "Use a server where it is allowed, or ask its owner for the schema."
      )
    case .refused(let message): ("The server refuses introspection: \(quoted(message)).", nil)
    }
  }

  private static func parts(status: Int) -> (message: String, advice: String?) {
    switch status {
    case 401: ("The server wants to know who asks (401).", "Give a token with --header.")
    case 403: ("The server refuses access (403).", "Check the token given with --header.")
    case 404: ("There is nothing at this address (404).", "Check the path, often /graphql.")
    case 405: ("The server takes no POST requests at this address (405).", "Check the path.")
    case 429: ("The server has had too many requests (429).", "Try again later.")
    case 500...: ("The server has a problem (\(status)).", "Try again later.")
    default: ("The server responds with status \(status).", nil)
    }
  }
}
