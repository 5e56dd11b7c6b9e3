/// Posts GraphQL requests to a service, and follows its redirects.
struct HTTPClient {
  let endpoint: Endpoint
  let headers: [Header]
  let limits: HTTPLimits
  let progress: (Int) -> Void

  /// Posts a JSON body. A redirect is followed with the same request, and without the header fields
  /// once it leads to another origin: any of them may be a credential. From https to http, none is
  /// followed.
  func post(_ body: [UInt8]) throws(DownloadError) -> HTTPResult {
    var target = endpoint
    var isTrusted = true
    for _ in 0...limits.redirects {
      let result = try HTTPExchange.send(
        request(to: target, body, withHeaders: isTrusted), limits: limits, progress: progress)
      guard let next = try Self.target(of: result, from: target) else { return result }
      isTrusted = isTrusted && next.origin == endpoint.origin
      target = next
    }
    throw .tooManyRedirects
  }

  /// The target of a redirect of `source`; nil for another response.
  static func target(
    of result: HTTPResult, from source: Endpoint
  ) throws(DownloadError) -> Endpoint? {
    switch result.status {
    case 301, 302, 307, 308:
      guard let next = result.location.flatMap(Endpoint.init) else {
        throw .badRedirect(status: result.status)
      }
      guard next.isSecure || !source.isSecure else {
        throw .insecureRedirect(status: result.status)
      }
      return next
    case 300..<400: throw .badRedirect(status: result.status)
    default: return nil
    }
  }

  private func request(to target: Endpoint, _ body: [UInt8], withHeaders: Bool) -> HTTPRequest {
    var headers = [
      Header(name: "Content-Type", value: "application/json"),
      Header(name: "Accept", value: "application/graphql-response+json, application/json;q=0.9"),
    ]
    for header in withHeaders ? self.headers : [] {
      headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
      headers.append(header)
    }
    return HTTPRequest(address: target.address, headers: headers, body: body)
  }
}
