import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import StorefrontAPI

/// The part of an operation that the server reads.
struct Call: Sendable {
  let document: String
  let headers: Graph.Headers
  private let variables: JSON

  init(_ request: Graph.HTTPRequest) {
    guard case .bytes(let bytes) = request.body, let json = try? JSON(parsing: bytes) else {
      fail("a request has no body of JSON")
    }
    document = json["query"]?.string ?? ""
    variables = json["variables"] ?? .null
    headers = request.headers
  }

  var isMutation: Bool { document.hasPrefix("mutation") }

  /// The value of a root field's argument: that of the variable in its place.
  func argument(_ name: String) -> String {
    guard let place = document.range(of: "\(name): $") ?? document.range(of: "\(name):$") else {
      fail("the operation has no argument \(name): \(document)")
    }
    let variable = document[place.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return variables[String(variable)]?.string ?? ""
  }
}

/// A server inside the process. A closure creates each response.
struct FakeShop: Graph.Transport {
  let response: @Sendable (Call) async throws -> (status: Int, headers: Graph.Headers, body: String)

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    let (status, headers, body) = try await response(Call(request))
    var fields = headers
    if fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
    return Graph.HTTPResponse(
      status: status, headers: fields, url: request.url,
      body: Graph.HTTPResponse.Body(Array(body.utf8)))
  }
}

/// The operations of the programs, which write and read the note of a cart.
enum Notes {
  static func query(_ cart: GraphQL.ID) -> Storefront.QueryRootQuery {
    Storefront.buildQuery(named: "Note") { $0.cart(id: cart) { $0.id().note() } }
  }

  static func mutation(_ cart: GraphQL.ID, _ note: String) -> Storefront.MutationQuery {
    Storefront.buildMutation(named: "SetNote") {
      $0.cartNoteUpdate(cartId: cart, note: note) {
        $0.cart { $0.id().note() }.userErrors { $0.message() }
      }
    }
  }

  static var shop: Storefront.QueryRootQuery {
    Storefront.buildQuery(named: "Shop") { $0.shop { $0.name() } }
  }

  static func key(_ cart: GraphQL.ID) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: "Cart", key: cart.rawValue)
  }

  /// A response to any of these operations, with `note` as its only content.
  static func response(_ call: Call, note: String) -> String {
    if call.document.contains("shop") { return #"{"data":{"shop":{"name":"\#(note)"}}}"# }
    let id = call.argument(call.isMutation ? "cartId" : "id")
    let cart = #"{"id":"\#(id)","note":"\#(note)"}"#
    return call.isMutation
      ? #"{"data":{"cartNoteUpdate":{"cart":\#(cart),"userErrors":[]}}}"#
      : #"{"data":{"cart":\#(cart)}}"#
  }
}

extension JSON {
  var string: String? { if case .string(let text) = self { text } else { nil } }
}
