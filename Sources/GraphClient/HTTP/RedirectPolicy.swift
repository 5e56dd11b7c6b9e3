import Foundation

extension Graph {
  /// Which redirects a transport follows (RFC 9110, section 15.4).
  ///
  /// An operation is repeated unchanged, so only 307 and 308 are followed after a POST: the others
  /// would turn it into a GET without the operation. A request to another origin has no header
  /// field that may contain a credential, and no body unless the origin is in ``operationOrigins``.
  /// Nothing is sent from a secure to an insecure address. A redirect that may not be followed
  /// fails with `redirectRefused`.
  public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects of one request.
    public var maximumCount: Int
    /// Origins to which operations may be sent in addition to the request's own, such as
    /// `https://eu.shop.example`: scheme, host, and the port unless it is the scheme's default. A
    /// path is ignored.
    public var operationOrigins: Set<String>

    /// A policy that follows that many redirects, with operations only to the request's own origin
    /// by default.
    public init(maximumCount: Int, operationOrigins: Set<String> = []) {
      self.maximumCount = maximumCount
      self.operationOrigins = operationOrigins
    }

    /// Five redirects, with operations only to the request's own origin.
    public static let standard = RedirectPolicy(maximumCount: 5)
    /// None: the redirect is returned as the response.
    public static let none = RedirectPolicy(maximumCount: 0)

    /// The request for the redirect in `response`, nil if there is no redirect to follow.
    ///
    /// - Throws: ``Graph/TransportError`` with the code `redirectRefused`.
    public func next(
      after response: HTTPResponse, to request: HTTPRequest
    ) throws(TransportError) -> HTTPRequest? {
      guard maximumCount > 0, follows(response.status, method: request.method),
        let location = response.headers["Location"]
      else { return nil }
      guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
        let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
        url.host != nil
      else { throw refused("the redirect has an invalid URL") }
      if request.url.scheme?.lowercased() == "https", scheme == "http" {
        throw refused("the redirect leads from https to http")
      }
      var next = request
      next.url = url
      if url.origin != request.url.origin {
        guard next.body.isEmpty || mayReceiveOperations(url.origin) else {
          throw refused(
            "the redirect leads to another origin, \(url.origin); the operation is sent there only "
              + "if RedirectPolicy.operationOrigins contains it")
        }
        next.headers = Headers(
          request.headers.fields.filter { Headers.nonsensitive.contains($0.name.lowercased()) })
      }
      return next
    }

    /// The response to `request`, after the redirects that this policy follows.
    ///
    /// - Parameter send: sends one request.
    /// - Throws: ``Graph/TransportError`` with the code `redirectRefused`, or errors of `send`. A
    ///   server that redirects has received the request, so the operation may have been carried out
    ///   even if a later step fails.
    nonisolated(nonsending) func following(
      _ request: HTTPRequest,
      send: nonisolated(nonsending) (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      var request = request
      var count = 0
      while true {
        let response: HTTPResponse
        do {
          response = try await send(request)
        } catch let error as TransportError where count > 0 {
          throw error.afterSending
        }
        guard let next = try next(after: response, to: request) else { return response }
        guard count < maximumCount else { throw refused("more than \(count) redirects") }
        count += 1
        request = next
      }
    }

    private func mayReceiveOperations(_ origin: String) -> Bool {
      operationOrigins.contains { URL(string: $0)?.origin == origin }
    }

    private func follows(_ status: Int, method: HTTPRequest.Method) -> Bool {
      switch status {
      case 307, 308: true
      case 301, 302, 303: method == .get
      default: false
      }
    }

    private func refused(_ message: String) -> TransportError {
      TransportError(.redirectRefused, message: message, bytesSent: true)
    }
  }
}

extension Graph.HTTPRequest.Body {
  fileprivate var isEmpty: Bool { if case .none = self { true } else { false } }
}

extension URL {
  /// Scheme, host and port (RFC 6454, section 4), for comparisons.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
  }
}
