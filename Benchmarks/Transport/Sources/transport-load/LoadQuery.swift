import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI

/// A query, and the server's response.
enum LoadQuery: String {
  /// A query of one object.
  case small
  /// A page of 20 KB.
  case listing

  func query(_ worker: Int) -> Storefront.QueryRootQuery {
    switch self {
    case .small:
      Storefront.buildQuery(named: "Small\(worker)") {
        $0.shop { $0.id().name().description().currencyCode() }
      }
    case .listing:
      Storefront.buildQuery(named: "Listing") {
        $0.products(first: 200 + worker) {
          $0.nodes { $0.id().handle().title().vendor().tags().description(truncateAt: 120) }
        }
      }
    }
  }

  var response: [UInt8] {
    switch self {
    case .small:
      Array(
        """
        {"data":{"shop":{"id":"gid://feathers/Shop/1","name":"Feathers & Co",\
        "description":"Hats for every weather.","currencyCode":"EUR"}}}
        """.utf8)
    case .listing:
      Array(
        #"{"data":{"products":{"nodes":["#.utf8)
        + (0..<80).map { number in
          #"""
          {"id":"gid://feathers/Product/\#(number)","handle":"product-\#(number)",\#
          "title":"Plain hat \#(number)","vendor":"Plume","tags":["felt","new"],\#
          "description":"A hat for every weather, made of felt & patience. \#
          It keeps its form in the rain, and its colour in the sun."}
          """#
        }.joined(separator: ",").utf8 + Array("]}}}".utf8)
    }
  }

  /// The client's request for the query.
  func request(to url: URL) async throws -> Graph.HTTPRequest {
    let recorder = Recorder()
    _ = try? await Graph.Client(endpoint: url, transport: recorder).query(query(0))
    guard let request = await recorder.request else { throw CancellationError() }
    return request
  }
}

/// Keeps the request instead of sending it.
private actor Recorder: Graph.Transport {
  private(set) var request: Graph.HTTPRequest?

  func send(_ request: Graph.HTTPRequest) throws -> Graph.HTTPResponse {
    self.request = request
    throw Graph.TransportError(.unsupported, message: "nothing is sent")
  }
}
