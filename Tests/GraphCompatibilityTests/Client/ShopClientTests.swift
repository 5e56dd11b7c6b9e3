import Foundation
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphClient
@testable import GraphCompatibility

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ShopClientTests {
  @Test(arguments: [Graph.CachePolicy.networkOnly, .cacheOnly])
  func emptyAPIKeyFailsEveryRequest(policy: Graph.CachePolicy) async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client(
      shopDomain: "shoes.myshopify.com", apiKey: "", transport: transport, locale: nil)
    for _ in 0..<2 {
      let error = await #expect(throws: Graph.QueryError.self) {
        try await client.query(shopQuery(), cachePolicy: policy)
      }
      #expect(error?.code == .noCredentials && error?.request != nil)
    }
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.mutate(noteMutation())
    }
    #expect(error?.code == .noCredentials)
    #expect(transport.requests.isEmpty)
  }

  @Test func taskReportsEmptyAPIKeyLikeBuySDK() async throws {
    let client = Graph.Client(
      shopDomain: "shoes.myshopify.com", apiKey: "", transport: ScriptedTransport(.shop),
      locale: nil)
    let error: Graph.LegacyQueryError? = await withCheckedContinuation { continuation in
      client.queryGraphWith(shopQuery()) { continuation.resume(returning: $1) }.resume()
    }
    guard case .request(error: nil) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["", "a b", "a/b", "evil.example/?x=", "user@host", "a\r\nb"])
  func rejectsShopDomainThatIsNotHost(domain: String) async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client(
      shopDomain: domain, apiKey: "key", transport: transport, locale: nil)
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery())
    }
    #expect(error?.transportError?.code == .invalidRequest)
    #expect(transport.requests.isEmpty)
  }

  @Test func takesVersionStoreAndOptionsOfAClient() async throws {
    let transport = ScriptedTransport(.shop)
    var configuration = Graph.ClientConfiguration()
    configuration.identification = Graph.ClientIdentification(name: "app")
    configuration.language = "de"
    configuration.storage = Graph.MemoryStorage()
    let client = Graph.Client(
      shopDomain: "shoes.myshopify.com", apiKey: "key", apiVersion: "2026-10",
      transport: transport, cachePolicy: .cacheFirst, interceptors: [HeaderInterceptor()],
      configuration: configuration)
    for _ in 0..<2 { _ = try await client.query(shopQuery()) }
    #expect(transport.requests.count == 1)
    let request = try #require(transport.requests.first)
    #expect(request.url.path == "/api/2026-10/graphql")
    #expect(request.headers["Accept-Language"] == "de")
    #expect(request.headers["apollographql-client-name"] == "app")
    #expect(request.headers["X-Added"] == "yes")
  }

  @Test(arguments: ["", "2026/10", "../x", "2026-10?a", "A B"])
  func rejectsInvalidVersion(version: String) async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client(
      shopDomain: "shoes.myshopify.com", apiKey: "key", apiVersion: version, transport: transport)
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery())
    }
    #expect(error?.transportError?.code == .invalidRequest)
    #expect(transport.requests.isEmpty)
  }

  @Test func sendsLocaleAsAcceptedLanguage() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client(
      shopDomain: "shoes.myshopify.com", apiKey: "key", transport: transport,
      locale: Locale(identifier: "fr_CA"))
    _ = try await client.query(shopQuery())
    let request = try #require(transport.requests.first)
    #expect(request.headers["Accept-Language"] == "fr-CA")
    #expect(request.headers["X-Shopify-Storefront-Access-Token"] == "key")
    #expect(request.url.host == "shoes.myshopify.com" && request.url.scheme == "https")
  }

  @Test func sendsRequestsThroughURLSession() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [ShopProtocol.self]
    let session = URLSession(configuration: configuration)
    let client = Graph.Client(
      shopDomain: "shoes.myshopify.com", apiKey: "key", session: session,
      locale: Locale(identifier: "de_CH"))
    #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
    let request = try #require(ShopProtocol.requests.current.first)
    #expect(
      request.url?.absoluteString
        == "https://shoes.myshopify.com/api/\(Graph.Client.shopAPIVersion)/graphql")
    #expect(request.httpMethod == "POST")
    #expect(request.value(forHTTPHeaderField: "X-Shopify-Storefront-Access-Token") == "key")
    #expect(request.value(forHTTPHeaderField: "Accept-Language") == "de-CH")
  }
}

/// Replaces the network.
private final class ShopProtocol: URLProtocol {
  static let requests = Box<[URLRequest]>([])

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    Self.requests.update { [request] in $0.append(request) }
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Type": "application/json"])
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(#"{"data":{"shop":{"name":"Shoes"}}}"#.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

private struct HeaderInterceptor: Graph.Interceptor {
  func prepare(_ request: Graph.OperationRequest) -> Graph.OperationRequest {
    var request = request
    request.headers["X-Added"] = "yes"
    return request
  }
}
