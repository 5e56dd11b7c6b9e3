import Foundation

extension Graph.CacheKey {
  /// The key of an operation's answer. Every field that may hold a credential is part of the
  /// identity: whoever is recognised by a field that this client does not know must not be given
  /// another's answer.
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
    self.init(scope: scopeDigest, name: name.finish().hexadecimal)
  }

  /// Fields that change from request to request and say nothing of who asks.
  private static let passing: Set<String> = [
    "traceparent", "tracestate", "x-request-id", "x-correlation-id",
  ]

  private static func identity(of headers: Graph.Headers) -> [String] {
    headers.fields
      .map { (name: $0.name.lowercased(), value: $0.value) }
      .filter { !Graph.Headers.harmless.contains($0.name) && !passing.contains($0.name) }
      .map { "\($0.name):\($0.value)" }
      .sorted()
  }
}
