import Foundation

extension Graph {
  /// Which redirects a transport follows (RFC 9110, section 15.4).
  ///
  /// An operation is sent again as it was, so only 307 and 308 are followed after a POST: the
  /// others would turn it into a GET without the operation. To another origin no field goes along
  /// that may hold a credential; from a secure to an insecure address nothing goes.
  public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects one request may take.
    public var maximumCount: Int

    /// A policy that follows so many redirects.
    public init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// Five redirects.
    public static let standard = RedirectPolicy(maximumCount: 5)
    /// None: the redirect's own answer is the answer.
    public static let none = RedirectPolicy(maximumCount: 0)

    /// The request that `response` asks for, nil when it is no redirect to follow.
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
      else { throw refused("the redirect's address is unusable") }
      if request.url.scheme?.lowercased() == "https", scheme == "http" {
        throw refused("the redirect leaves the secure connection")
      }
      var next = request
      next.url = url
      if url.origin != request.url.origin {
        next.headers = Headers(
          request.headers.fields.filter { Headers.harmless.contains($0.name.lowercased()) })
      }
      return next
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

extension URL {
  /// Scheme, host and port (RFC 6454, section 4), for comparisons.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
  }
}
