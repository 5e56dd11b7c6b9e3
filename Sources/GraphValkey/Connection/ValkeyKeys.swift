import GraphClient

/// The names of keys and channels of one namespace, or of a part of it.
struct ValkeyKeys: Sendable {
  let prefix: String

  /// The beginning of the keys of responses.
  var responses: String { "\(prefix):r:" }
  /// The JSON of a response.
  func response(_ key: Graph.CacheKey) -> String { "\(responses)\(key.scope):\(key.name)" }
  /// The generation of all responses, of a scope and of a tag.
  var all: String { "\(prefix):g:a" }
  func scope(_ scope: String) -> String { "\(prefix):g:s:\(scope)" }
  func tag(_ tag: String) -> String { "\(prefix):g:t:\(tag)" }
  /// The keys that a read of a response needs.
  func lookup(_ key: Graph.CacheKey) -> Lookup {
    Lookup(response: response(key), all: all, scope: scope(key.scope))
  }

  struct Lookup: Sendable {
    let response, all, scope: String
  }

  /// The token of the process that requests the response.
  func lease(_ key: Graph.CacheKey) -> String { "\(prefix):l:\(key.scope):\(key.name)" }
  /// The channel of messages that a lease has ended.
  func channel(_ key: Graph.CacheKey) -> String { "\(prefix):w:\(key.scope):\(key.name)" }
  /// The budget of a scope.
  func budget(_ scope: String) -> String { "\(prefix):b:\(scope)" }
  /// The points that a request has reserved.
  func reservation(_ request: Graph.RateRequest) -> String {
    "\(prefix):q:\(request.scope):\(String(request.id, radix: 16))"
  }

  /// The beginnings of the keys whose changes concern stored responses.
  var tracked: [String] { [responses, "\(prefix):g:"] }

  /// In a cluster, the slot of all keys.
  var slot: Int { HashSlot.of(prefix.dropFirst().dropLast().utf8) }
}
