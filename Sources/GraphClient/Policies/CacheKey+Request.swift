import Foundation
import GraphJSON

extension Graph.CacheKey {
  /// The key of an operation's response. Every field that may contain a credential is part of the
  /// identity: a user that the server identifies by a field unknown to this client must not get
  /// another user's response.
  init(_ request: Graph.OperationRequest, endpoint: URL) {
    let scopeDigest = Self.scope(endpoint: endpoint, headers: request.headers)
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

  /// The scope of the responses that a client at `endpoint` gets with these header fields. Fields that do not identify
  /// a user, such as `Accept` or `traceparent`, do not change it.
  ///
  /// - Parameter headers: all fields of the requests, including those that interceptors add.
  public static func scope(endpoint: URL, headers: Graph.Headers) -> String {
    var scope = SHA256()
    scope.updateField(Array(endpoint.absoluteString.utf8))
    for field in Graph.Identity(of: headers).fields {
      scope.updateField(Array(field.text.utf8))
    }
    return scope.finish().hexadecimal
  }

  /// Extensions that do not change the response.
  private static let passingExtensions: Set<String> = ["clientLibrary", "persistedQuery"]
}
