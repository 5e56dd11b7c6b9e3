import GraphJSON
import GraphQLSchema

/// Downloads a schema from a service by introspection, as completely as the service allows.
struct SchemaDownload {
  let client: HTTPClient

  /// Requests the features of the service's introspection and then the whole schema with them. If
  /// the service does not report its features, everything is requested, and less after each error.
  ///
  /// - Throws: `DownloadError`, or `Diagnostics` if the response is not a valid schema.
  func schema() throws -> ServiceSchema {
    var features = try offeredFeatures() ?? .all
    var wrappers = IntrospectionQuery.maximumWrappers
    var depthLimit: String?
    while true {
      let result = try send(
        IntrospectionQuery.schema(features, wrappers: wrappers), name: IntrospectionQuery.schemaName
      )
      if result.document.root["data"]?["__schema"]?.kind == .object {
        return try schema(result.body, depthLimit: depthLimit)
      }
      let messages = Self.messages(result.document.root)
      if let message = messages.first(where: Self.forbidsIntrospection) {
        throw DownloadError.introspectionDisabled(message: redact(message))
      }
      // Some servers limit the depth of queries. Most types need no more than three wrappers; one
      // that needs more is reported.
      if wrappers > 3, let message = messages.first(where: Self.limitsDepth) {
        depthLimit = message
        wrappers -= 1
        continue
      }
      // Servers respond to invalid documents with 200 or 400; other errors are not about a feature.
      guard result.status == 200 || result.status == 400, !messages.isEmpty,
        let fewer = features.without(namedIn: messages)
      else {
        guard let message = messages.first else {
          throw result.status == 200
            ? DownloadError.notSchema : .status(result.status, message: nil)
        }
        throw DownloadError.refused(message: redact(message))
      }
      features = fewer
    }
  }

  /// Reads the response.
  ///
  /// - Parameter depthLimit: The server's message about the depth of a query that fetches all types; nil
  ///   if it has accepted such a query.
  private func schema(
    _ body: [UInt8], depthLimit: String?
  ) throws(Diagnostics) -> ServiceSchema {
    do throws(Diagnostics) {
      return try ServiceSchema(introspection: Source(name: client.endpoint.shown, bytes: body))
    } catch {
      guard let depthLimit else { throw error }
      var diagnostics = error
      for position in diagnostics.elements.indices
      where diagnostics.elements[position].code == ServiceSchema.cutOffTypeCode {
        diagnostics.elements[position].suggestion =
          "The server limits the depth of queries: \(quoted(redact(depthLimit))). "
          + "Ask the owner of the server for the schema."
      }
      throw diagnostics
    }
  }

  /// nil if the service does not report it.
  private func offeredFeatures() throws(DownloadError) -> Set<IntrospectionFeature>? {
    let result = try send(IntrospectionQuery.features, name: IntrospectionQuery.featuresName)
    var fields: [String: [String: Set<String>]] = [:]
    for member in result.document.root["data"]?.members ?? [] {
      guard let type = member.value["name"]?.string else { continue }
      for field in member.value["fields"]?.array ?? [] {
        guard let name = field["name"]?.string else { continue }
        let arguments = (field["args"]?.array ?? []).compactMap { $0["name"]?.string }
        fields[type, default: [:]][name] = Set(arguments)
      }
    }
    return fields["__Type"] == nil ? nil : Set(fields: fields)
  }

  /// A response that is any JSON.
  private func send(
    _ query: String, name: String
  ) throws(DownloadError) -> (status: Int, body: [UInt8], document: JSONDocument) {
    var writer = JSONWriter()
    writer.value(["query": .string(query), "operationName": .string(name)])
    let result = try client.post(writer.finish())
    var body = result.body
    // RFC 8259, section 8.1: services must not send a byte order mark, and clients may ignore it.
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body.removeFirst(3) }
    let document = try? JSONDocument(parsing: body)
    switch result.status {
    case 401, 403, 404, 405, 429, 500...:
      let message = document.flatMap { Self.messages($0.root).first }
      throw .status(result.status, message: message.map(redact))
    default: break
    }
    guard let document else {
      let start = result.body.first { $0 > 0x20 }
      let isHTML = result.contentType.hasPrefix("text/html") || start == UInt8(ascii: "<")
      throw isHTML ? .html : result.status == 200 ? .notJSON : .status(result.status, message: nil)
    }
    return (result.status, body, document)
  }

  private func redact(_ text: String) -> String { Redaction(client.headers)(text) }

  private static func messages(_ root: JSONNode) -> [String] {
    (root["errors"]?.array ?? []).compactMap { $0["message"]?.string }
  }

  private static func limitsDepth(_ message: String) -> Bool {
    message.lowercased().contains("depth")
  }

  private static func forbidsIntrospection(_ message: String) -> Bool {
    let text = message.lowercased()
    return text.contains("introspection")
      && ["disabled", "not allowed", "forbidden", "not enabled", "turned off"].contains {
        text.contains($0)
      }
  }
}

/// The schema of a service, with progress on the terminal.
struct EndpointSchema {
  let endpoint: Endpoint
  let headers: [Header]
  let limits: HTTPLimits
  let console: Console

  /// Downloads the schema. Returns nil after an error, which was reported without secrets.
  func download() throws -> ServiceSchema? {
    let progress = TransferProgress(console: console)
    let client = HTTPClient(
      endpoint: endpoint, headers: headers, limits: limits, progress: progress.show)
    do {
      defer { progress.erase() }
      return try SchemaDownload(client: client).schema()
    } catch let error as DownloadError {
      console.report(error.diagnostic(endpoint: endpoint.shown))
    } catch let error as Diagnostics {
      let redact = Redaction(headers)
      for diagnostic in error.elements { console.report(redact(diagnostic.description)) }
    }
    return nil
  }
}

/// One line on a terminal that shows how much has arrived.
struct TransferProgress {
  let console: Console

  func show(_ byteCount: Int) {
    guard console.isWatched else { return }
    console.error("\(Self.eraseLine)Downloading the schema… \(byteCount / 1_024) KiB")
  }

  func erase() {
    if console.isWatched { console.error(Self.eraseLine) }
  }

  private static let eraseLine = "\r\u{1B}[K"
}

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
