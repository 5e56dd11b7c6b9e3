import Foundation
import GraphClient

/// The generations of a namespace, a scope or a tag, which are random. A value only counts while its generations are the
/// current ones, so deleting one removes any number of values at once.
struct Generations: Sendable, Hashable {
  static let length = 16

  var all: [UInt8]
  var scope: [UInt8]

  /// Scripts replace the second half of a generation of all responses, see ``ServerScripts``.
  static func random() -> [UInt8] { (0..<length).map { _ in UInt8.random(in: .min ... .max) } }
}

/// A value on the server: `GRV1`, the generations of the namespace and the scope, the number of tags, for each tag
/// the length of its name (2 bytes), the name and its generation, and the envelope.
struct StoredResponse {
  static let mark = Array("GRV1".utf8)

  let all, scope: ArraySlice<UInt8>
  let tags: [(name: String, generation: [UInt8])]
  let envelope: ArraySlice<UInt8>

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard reader.take(Self.mark.count)?.elementsEqual(Self.mark) == true,
      let all = reader.take(Generations.length), let scope = reader.take(Generations.length),
      let count = reader.take(1)?.first
    else { return nil }
    var tags: [(name: String, generation: [UInt8])] = []
    for _ in 0..<count {
      guard let high = reader.take(1)?.first, let low = reader.take(1)?.first,
        let name = reader.take(Int(high) << 8 | Int(low)),
        let generation = reader.take(Generations.length)
      else { return nil }
      tags.append((String(decoding: name, as: UTF8.self), Array(generation)))
    }
    (self.all, self.scope, self.tags) = (all, scope, tags)
    envelope = reader.rest
  }

  /// The part before a tag's generation.
  static func head(ofTag name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt16(clamping: name.utf8.count))
    return bytes + name.utf8
  }
}
