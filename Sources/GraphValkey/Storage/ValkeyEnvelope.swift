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

/// Detects damage of stored bytes, and is not a protection against changes on purpose. SHA-256 would take longer than
/// the server for responses of a few kilobytes.
enum ValkeyChecksum {
  // Safe: each load is within the bytes, and needs no alignment.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      mix(&state, UInt64(bytes.count))
      var offset = 0
      // The processor computes several states at the same time, since none depends on another.
      var (second, third, fourth) = (state &* 3, state &* 5, state &* 7)
      while offset + 32 <= bytes.count {
        mix(&state, word(offset))
        mix(&second, word(offset + 8))
        mix(&third, word(offset + 16))
        mix(&fourth, word(offset + 24))
        offset += 32
      }
      mix(&state, second)
      mix(&state, third)
      mix(&state, fourth)
      while offset + 8 <= bytes.count {
        mix(&state, word(offset))
        offset += 8
      }
      var last: UInt64 = 0
      while offset < bytes.count {
        last = unsafe last << 8 | UInt64(bytes[offset])
        offset += 1
      }
      mix(&state, last)
      return state
    }
  }

  /// Both steps are reversible, so two different words never lead from one state to the same.
  @inline(__always)
  private static func mix(_ state: inout UInt64, _ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }
}

/// The form of a large response on the server: the number of bytes of its JSON (8 bytes, big-endian), and the JSON
/// in zlib's format (RFC 1950).
enum Compression {
  /// - Returns: nil if that saves less than a tenth, or if there is no zlib on this machine.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let zlib = ZlibLibrary.installed, let content = zlib.compressed(bytes),
      content.count + 8 < bytes.count - bytes.count / 10
    else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(content.count + 8)
    result.append(bigEndian: UInt64(bytes.count))
    return result + content
  }

  /// - Parameter maximum: the largest number of bytes of the result.
  /// - Returns: nil for damaged bytes, for a longer result, or if there is no zlib on this machine.
  static func restored(_ bytes: [UInt8], maximum: Int) -> [UInt8]? {
    var reader = ByteReader(bytes[...])
    guard let number = reader.number(), let count = Int(exactly: number),
      1...max(1, maximum) ~= count
    else { return nil }
    return ZlibLibrary.installed?.restored(reader.rest, count: count)
  }
}

/// The zlib of this machine, which stays open for the life of the process. Each Apple platform has one, and so
/// has practically each Linux distribution, but not the headers to link it.
// Safe: the pointers are those of functions of a library that is never closed.
@safe struct ZlibLibrary: Sendable {
  static let names = ["libz.so.1", "libz.so", "/usr/lib/libz.1.dylib"]

  static let installed = ZlibLibrary(names)

  private typealias Compress =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>?,
      CUnsignedLong, CInt
    ) -> CInt
  private typealias Bound = @convention(c) (CUnsignedLong) -> CUnsignedLong
  private typealias Uncompress =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>?,
      CUnsignedLong
    ) -> CInt

  private let compress2: Compress
  private let compressBound: Bound
  private let uncompress: Uncompress

  /// The first library of `names` that can be opened.
  // Safe: the types are those of the three functions in zlib.h, which have not changed since zlib 1.2.
  init?(_ names: [String]) {
    for name in names {
      guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL),
        let compress2 = unsafe dlsym(library, "compress2"),
        let compressBound = unsafe dlsym(library, "compressBound"),
        let uncompress = unsafe dlsym(library, "uncompress")
      else { continue }
      unsafe self.compress2 = unsafeBitCast(compress2, to: Compress.self)
      self.compressBound = unsafe unsafeBitCast(compressBound, to: Bound.self)
      unsafe self.uncompress = unsafeBitCast(uncompress, to: Uncompress.self)
      return
    }
    return nil
  }

  /// The fastest level: on JSON, the higher ones take several times as long for a tenth of the bytes.
  private static let level: CInt = 1

  // Safe: both buffers outlive the call, which gets their sizes, and writes to `count` how much it has filled.
  func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    let capacity = Int(compressBound(CUnsignedLong(bytes.count)))
    var isComplete = false
    let result = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      var count = CUnsignedLong(capacity)
      let status = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe compress2(
          buffer.baseAddress, &count, source.baseAddress, CUnsignedLong(source.count), Self.level)
      }
      isComplete = status == 0
      filled = isComplete ? Int(count) : 0
    }
    return isComplete ? result : nil
  }

  /// - Parameter count: the exact number of bytes of the result.
  /// - Returns: nil for damaged bytes, and for a result of another length.
  // Safe: see `compressed(_:)`. A result that is longer than the buffer is an error of zlib.
  func restored(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var isComplete = false
    let result = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var length = CUnsignedLong(count)
      let status = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe uncompress(
          buffer.baseAddress, &length, source.baseAddress, CUnsignedLong(source.count))
      }
      isComplete = status == 0 && Int(length) == count
      filled = isComplete ? count : 0
    }
    return isComplete ? result : nil
  }
}
