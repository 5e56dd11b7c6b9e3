import Foundation
import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph.Client {
  /// The version of the Storefront API that ``init(shopDomain:apiKey:session:locale:)`` uses.
  public static let shopAPIVersion = "2025-07"

  /// A client of a shop's Storefront API.
  ///
  /// Each request fails with an empty `apiKey` (`noCredentials`) and with an invalid domain
  /// (`transport`).
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
      transport: session.map { Graph.URLSessionTransport(session: $0) }, locale: locale)
  }

  /// - Parameter transport: nil for the platform's.
  convenience init(
    shopDomain: String, apiKey: String, transport: (any Graph.Transport)?, locale: Locale?
  ) {
    let endpoint = Self.endpoint(shopDomain)
    let refusal: Graph.QueryError? =
      apiKey.isEmpty ? .noKey : endpoint == nil ? .invalidDomain : nil
    var configuration = Graph.ClientConfiguration()
    configuration.language = locale.map { $0.identifier(.bcp47) }
    self.init(
      endpoint: endpoint ?? URL(fileURLWithPath: "/"),
      headers: ["X-Shopify-Storefront-Access-Token": apiKey], transport: transport,
      interceptors: refusal.map { [RefusingInterceptor(error: $0)] } ?? [],
      configuration: configuration)
  }

  private static func endpoint(_ domain: String) -> URL? {
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-.:"
    guard !domain.isEmpty, domain.lowercased().allSatisfy(allowed.contains) else { return nil }
    let url = URL(string: "https://\(domain)/api/\(shopAPIVersion)/graphql")
    return url?.host == nil ? nil : url
  }
}

/// Refuses every request before the cache is read.
private struct RefusingInterceptor: Graph.Interceptor {
  let error: Graph.QueryError

  func prepare(_ request: Graph.OperationRequest) throws -> Graph.OperationRequest { throw error }
}

extension Graph.QueryError {
  fileprivate static var invalidDomain: Graph.QueryError {
    let cause = Graph.TransportError(
      .invalidRequest, message: "the shop's domain is not a host name")
    return Graph.QueryError(.transport, message: "the request failed: \(cause)", cause: cause)
  }

  fileprivate static var noKey: Graph.QueryError {
    Graph.QueryError(
      .noCredentials,
      message: "the client has no API key; create the client with one")
  }
}
