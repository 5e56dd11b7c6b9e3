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
