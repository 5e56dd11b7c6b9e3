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

/// The slots of a cluster, see the section “Key distribution model” of the Redis cluster specification.
enum HashSlot {
  static let count = 16_384

  /// The slot of a key without braces: CRC-16 (XMODEM) of its bytes, modulo the number of slots.
  static func of(_ bytes: some Sequence<UInt8>) -> Int {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum ^= UInt16(byte) << 8
      for _ in 0..<8 {
        checksum = checksum & 0x8000 == 0 ? checksum << 1 : checksum << 1 ^ 0x1021
      }
    }
    return Int(checksum) % count
  }

  /// The text in braces of a shard's keys. Masters usually have equal ranges of slots, so the slot is in the shard's own
  /// part of all slots: then as many shards as masters are one on each.
  ///
  /// Names of stored keys begin with it, so all versions must compute the same.
  static func tag(_ namespace: String, shard index: Int, of shards: Int) -> String {
    var number = index
    while true {
      let tag = "\(namespace):\(number)"
      if of(tag.utf8) * shards / count == index { return tag }
      number += shards
    }
  }
}
