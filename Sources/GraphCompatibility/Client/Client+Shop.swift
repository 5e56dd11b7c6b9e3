import Foundation
import GraphClient
public import GraphQLRuntime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph.Client {
  /// The default version of the Storefront API.
  public static let shopAPIVersion = "2025-07"

  /// A client of a shop's Storefront API.
  ///
  /// Each request fails with an empty `apiKey` (`noCredentials`) and with an invalid domain or
  /// version (`transport`).
  ///
  /// - Parameters:
  ///   - shopDomain: such as `shoes.myshopify.com`.
  ///   - apiKey: the shop's public Storefront access token.
  ///   - apiVersion: the version of the API for which the module is generated, such as `2025-07` or
  ///     `unstable`.
  ///   - session: provides its configuration and its handling of authentication challenges. nil
  ///     means the platform's transport.
  ///   - locale: the language of the responses; part of the cache's key. nil means that of
  ///     `configuration`.
  ///   - cachePolicy: for queries without one of their own.
  ///   - interceptors: in the order in which they receive a request.
  ///   - store: the store of responses, such as a model manager; nil for none.
  ///   - configuration: the other options, such as the retry policy.
  public convenience init(
    shopDomain: String, apiKey: String, apiVersion: String = shopAPIVersion,
    session: URLSession? = nil, locale: Locale? = nil,
    cachePolicy: Graph.CachePolicy = .networkOnly, interceptors: [any Graph.Interceptor] = [],
    store: (any GraphQL.ResponseStore)? = nil,
    configuration: Graph.ClientConfiguration = Graph.ClientConfiguration()
  ) {
    self.init(
      shopDomain: shopDomain, apiKey: apiKey, apiVersion: apiVersion,
      transport: session.map { Graph.URLSessionTransport(session: $0) }, locale: locale,
      cachePolicy: cachePolicy, interceptors: interceptors, store: store,
      configuration: configuration)
  }

  /// - Parameter transport: nil for the platform's.
  convenience init(
    shopDomain: String, apiKey: String, apiVersion: String = shopAPIVersion,
    transport: (any Graph.Transport)?, locale: Locale? = nil,
    cachePolicy: Graph.CachePolicy = .networkOnly, interceptors: [any Graph.Interceptor] = [],
    store: (any GraphQL.ResponseStore)? = nil,
    configuration: Graph.ClientConfiguration = Graph.ClientConfiguration()
  ) {
    let endpoint = Self.endpoint(shopDomain, apiVersion)
    let refusal: Graph.QueryError? =
      apiKey.isEmpty ? .noKey : endpoint == nil ? .invalidAddress : nil
    var configuration = configuration
    if let locale { configuration.language = locale.identifier(.bcp47) }
    self.init(
      endpoint: endpoint ?? URL(fileURLWithPath: "/"),
      headers: ["X-Shopify-Storefront-Access-Token": apiKey], transport: transport,
      cachePolicy: cachePolicy,
      interceptors: (refusal.map { [RefusingInterceptor(error: $0)] } ?? []) + interceptors,
      store: store, configuration: configuration)
  }

  private static func endpoint(_ domain: String, _ version: String) -> URL? {
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
    guard !domain.isEmpty, domain.lowercased().allSatisfy((allowed + ".:").contains),
      !version.isEmpty, version.allSatisfy(allowed.contains)
    else { return nil }
    let url = URL(string: "https://\(domain)/api/\(version)/graphql")
    return url?.host == nil ? nil : url
  }
}

/// Refuses every request before the cache is read.
private struct RefusingInterceptor: Graph.Interceptor {
  let error: Graph.QueryError

  func prepare(_ request: Graph.OperationRequest) throws -> Graph.OperationRequest { throw error }
}

extension Graph.QueryError {
  fileprivate static var invalidAddress: Graph.QueryError {
    let cause = Graph.TransportError(
      .invalidRequest,
      message: "the shop's domain must be a host name, and the API version a name such as 2025-07")
    return Graph.QueryError(.transport, message: "the request failed: \(cause)", cause: cause)
  }

  fileprivate static var noKey: Graph.QueryError {
    Graph.QueryError(
      .noCredentials,
      message: "the client has no API key; create the client with one")
  }
}
