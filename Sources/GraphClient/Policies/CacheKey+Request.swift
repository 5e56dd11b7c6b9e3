import Foundation
import GraphJSON

extension Graph.CacheKey {
  /// The key of an operation's response. Every field that may contain a credential is part of the
  /// identity: a user that the server identifies by a field unknown to this client must not get
  /// another user's response.
  init(_ request: Graph.OperationRequest, endpoint: URL) {
    var scope = SHA256()
    scope.updateField(Array(endpoint.absoluteString.utf8))
    for field in Self.identity(of: request.headers) {
      scope.updateField(Array(field.utf8))
    }
    let scopeDigest = scope.finish().hexadecimal
    var name = SHA256()
    name.updateField(Array(scopeDigest.utf8))
    name.updateField(Array(request.document.utf8))
    name.updateField(Array((request.name ?? "").utf8))
    name.updateField(request.variables)
    name.updateField(Array((request.headers["Accept-Language"] ?? "").utf8))
    let extensions = request.extensions.filter { !Self.passingExtensions.contains($0.key) }
    if !extensions.isEmpty {
      name.updateField(Array(JSON.object(JSON.Object(extensions)).description.utf8))
    }
    self.init(scope: scopeDigest, name: name.finish().hexadecimal)
  }

  /// Fields that change between requests and do not identify the user.
  private static let passing: Set<String> = [
    "traceparent", "tracestate", "x-request-id", "x-correlation-id",
  ]

  /// Extensions that do not change the response.
  private static let passingExtensions: Set<String> = ["clientLibrary", "persistedQuery"]

  /// The fields that may identify the user.
  static func identity(of headers: Graph.Headers) -> [String] {
    headers.fields
      .map { (name: $0.name.lowercased(), value: $0.value) }
      .filter { !Graph.Headers.nonsensitive.contains($0.name) && !passing.contains($0.name) }
      .map { "\($0.name):\($0.value)" }
      .sorted()
  }
}
