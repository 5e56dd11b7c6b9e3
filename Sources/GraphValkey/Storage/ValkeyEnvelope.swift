import Foundation
import GraphClient

/// The form of a stored response. The script that stores it adds the generations in front, see
/// ``StoredResponse``.
///
/// Numbers are big-endian: a checksum of the rest (8 bytes), the time to live in milliseconds (8), the wall clock and
/// the uptime in nanoseconds (8 each), the form of the content (1), the length of the boot's name (1) and that name, the
/// length of the key (2) and the key, and the content.
struct ValkeyEnvelope {
  /// How the content was made of the response's JSON: it is compressed first, then encrypted.
  struct Form: OptionSet {
    let rawValue: UInt8

    static let encrypted = Form(rawValue: 1)
    static let compressed = Form(rawValue: 2)
  }

  var timeToLive: Int64
  var storedAt: Graph.Timestamp
  var form: Form
  var content: [UInt8]

  private static func text(_ key: Graph.CacheKey) -> [UInt8] {
    Array("\(key.scope.utf8.count):\(key.scope):\(key.name)".utf8)
  }

  func encoded(_ key: Graph.CacheKey) -> [UInt8] {
    var rest: [UInt8] = []
    let boot = Array(storedAt.boot.utf8.prefix(255))
    let key = Self.text(key)
    rest.reserveCapacity(content.count + boot.count + key.count + 64)
    rest.append(bigEndian: UInt64(bitPattern: timeToLive))
    rest.append(bigEndian: UInt64(bitPattern: storedAt.wall.nanoseconds))
    rest.append(bigEndian: UInt64(bitPattern: storedAt.uptime.nanoseconds))
    rest.append(form.rawValue)
    rest.append(UInt8(boot.count))
    rest += boot
    rest.append(bigEndian: UInt16(clamping: key.count))
    rest += key
    rest += content
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count + 8)
    bytes.append(bigEndian: ValkeyChecksum.of(rest[...]))
    bytes += rest
    return bytes
  }

  /// - Returns: nil if the bytes are damaged, or are the value of another key.
  init?(_ bytes: ArraySlice<UInt8>, key: Graph.CacheKey) {
    var reader = ByteReader(bytes)
    guard let checksum = reader.number(), checksum == ValkeyChecksum.of(reader.rest),
      let timeToLive = reader.number(), let wall = reader.number(), let uptime = reader.number(),
      let form = reader.take(1)?.first, form <= 3, let bootCount = reader.take(1)?.first,
      let boot = reader.take(Int(bootCount)), let high = reader.take(1)?.first,
      let low = reader.take(1)?.first, let storedKey = reader.take(Int(high) << 8 | Int(low)),
      storedKey.hasBytes(of: Self.text(key))
    else { return nil }
    self.timeToLive = Int64(bitPattern: timeToLive)
    storedAt = Graph.Timestamp(
      wall: .nanoseconds(Int64(bitPattern: wall)), uptime: .nanoseconds(Int64(bitPattern: uptime)),
      boot: String(decoding: boot, as: UTF8.self))
    self.form = Form(rawValue: form)
    content = Array(reader.rest)
  }

  init(timeToLive: Int64, storedAt: Graph.Timestamp, form: Form, content: [UInt8]) {
    self.timeToLive = timeToLive
    self.storedAt = storedAt
    self.form = form
    self.content = content
  }
}

/// Reads the parts of a value from its beginning.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number() -> UInt64? { take(8)?.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension ArraySlice<UInt8> {
  /// As `elementsEqual`, which compares one byte after the other.
  // Safe: both buffers have as many bytes as are compared.
  func hasBytes(of other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { other in
        unsafe bytes.isEmpty || memcmp(bytes.baseAddress!, other.baseAddress!, bytes.count) == 0
      }
    }
  }
}
