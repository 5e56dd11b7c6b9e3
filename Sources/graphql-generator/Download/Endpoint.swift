#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The address of a GraphQL service.
struct Endpoint: Equatable {
  let url: URL

  /// nil unless it is an absolute `http` or `https` URL without user and password, which would end
  /// up in logs.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let url = URL(string: text) else {
      return nil
    }
    self.init(url: url)
  }

  init?(url: URL) {
    let url = url.absoluteURL
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host, !host.isEmpty, url.user == nil, url.password == nil
    else { return nil }
    self.url = url
  }

  /// Scheme, host and port: who is trusted with credentials (RFC 6454).
  var origin: String {
    let scheme = (url.scheme ?? "").lowercased()
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\((url.host ?? "").lowercased()):\(port)"
  }

  /// The address without its query, where some services expect a token.
  var shown: String {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    parts?.query = nil
    parts?.fragment = nil
    return parts?.string ?? origin
  }
}
