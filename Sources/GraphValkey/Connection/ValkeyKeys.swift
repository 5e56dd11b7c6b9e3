import GraphClient

/// The names of keys and channels of one namespace.
struct ValkeyKeys: Sendable {
  let namespace: String

  /// The beginning of the keys of responses.
  var responses: String { "\(namespace):r:" }
  /// The JSON of a response.
  func response(_ key: Graph.CacheKey) -> String { "\(responses)\(key.scope):\(key.name)" }
  /// The generation of all responses, of a scope and of a tag.
  var all: String { "\(namespace):g:a" }
  func scope(_ scope: String) -> String { "\(namespace):g:s:\(scope)" }
  func tag(_ tag: String) -> String { "\(namespace):g:t:\(tag)" }
  /// The token of the process that requests the response.
  func lease(_ key: Graph.CacheKey) -> String { "\(namespace):l:\(key.scope):\(key.name)" }
  /// The channel of messages that a lease has ended.
  func channel(_ key: Graph.CacheKey) -> String { "\(namespace):w:\(key.scope):\(key.name)" }
  /// The budget of a scope.
  func budget(_ scope: String) -> String { "\(namespace):b:\(scope)" }
  /// The points that a request has reserved.
  func reservation(_ request: Graph.RateRequest) -> String {
    "\(namespace):q:\(request.scope):\(String(request.id, radix: 16))"
  }

  /// The beginnings of the keys whose changes concern stored responses.
  static func trackedPrefixes(_ namespace: String) -> [String] {
    ["\(namespace):r:", "\(namespace):g:"]
  }
}
