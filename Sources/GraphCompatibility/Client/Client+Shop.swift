import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph.Client {
  /// The version of the Storefront API that ``init(shopDomain:apiKey:session:locale:)`` uses.
  public static let shopAPIVersion = "2025-07"

  /// A client of a shop's Storefront API.
  ///
  /// Each request fails with an empty `apiKey` (``Graph/QueryError/Code/noCredentials``) and with
  /// an invalid domain (``Graph/QueryError/Code/transport``).
  ///
  /// - Parameters:
  ///   - shopDomain: such as `shoes.myshopify.com`.
  ///   - apiKey: the shop's public Storefront access token.
  ///   - session: provides its configuration and its handling of authentication challenges.
  ///   - locale: the language of the responses; part of the cache's key.
  public convenience init(
    shopDomain: String, apiKey: String, session: URLSession? = nil, locale: Locale? = nil
  ) {
    self.init(
      shopDomain: shopDomain, apiKey: apiKey,
      transport: session.map { Graph.URLSessionTransport(session: $0) }
        ?? Graph.standardTransport(), locale: locale)
  }

  convenience init(
    shopDomain: String, apiKey: String, transport: any Graph.Transport, locale: Locale?
  ) {
    let endpoint = Self.endpoint(shopDomain)
    var configuration = Graph.ClientConfiguration()
    configuration.language = locale.map { $0.identifier(.bcp47) }
    self.init(
      endpoint: endpoint ?? URL(fileURLWithPath: "/"),
      headers: .constant(["X-Shopify-Storefront-Access-Token": apiKey]), transport: transport,
      cachePolicy: .networkOnly, interceptors: [], configuration: configuration,
      refusal: apiKey.isEmpty ? .noKey : endpoint == nil ? .badDomain : nil,
      gate: .shared, time: Graph.SystemTime())
  }

  private static func endpoint(_ domain: String) -> URL? {
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-.:"
    guard !domain.isEmpty, domain.lowercased().allSatisfy(allowed.contains) else { return nil }
    let url = URL(string: "https://\(domain)/api/\(shopAPIVersion)/graphql")
    return url?.host == nil ? nil : url
  }
}

extension Graph.QueryError {
  fileprivate static var badDomain: Graph.QueryError {
    Graph.QueryError(
      Graph.TransportError(
        .invalidRequest, message: "the shop's domain is not a host's name"))
  }

  fileprivate static var noKey: Graph.QueryError {
    Graph.QueryError(
      .noCredentials,
      message: "the client has no key to send requests with; create it with an API key")
  }
}
