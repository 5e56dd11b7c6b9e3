import Foundation
import GraphClient

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
