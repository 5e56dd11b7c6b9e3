#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Foundation
import GraphStore

extension FileSafety {
  /// Writes a file of mode 0600 in one step: to a temporary file that is then renamed. Missing
  /// directories are created with 0700.
  // Safe: the paths are strings that the calls borrow.
  static func replace(_ file: URL, with data: Data) throws(Graph.StoreError) {
    let directory = file.deletingLastPathComponent().path
    try makeDirectory(directory)
    let temporary = "\(directory)/.\(UUID().uuidString)"
    let descriptor = try open(temporary)
    do throws(Graph.StoreError) {
      defer { close(descriptor) }
      try write(data, to: descriptor, at: temporary)
      // Before the rename; otherwise a power failure could leave the name without contents.
      guard flush(descriptor) == 0 else {
        throw .system("cannot write", temporary)
      }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    guard unsafe rename(temporary, file.path) == 0 else {
      let code = errno
      unsafe unlink(temporary)
      throw .system("cannot replace", file.path, code)
    }
  }

  /// Ensures that what has been written reaches the disk before anything that is written later. On Apple
  /// platforms, `fsync` only hands it to the drive, which may write the renaming first.
  private static func flush(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      // Not every file system has barriers.
      if fcntl(descriptor, F_BARRIERFSYNC) == 0 || fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor)
  }

  // Safe: `written` is below the count of the array, which keeps its bytes valid during the call.
  private static func write(
    _ data: Data, to descriptor: Int32, at path: String
  ) throws(Graph.StoreError) {
    var written = 0
    let bytes = [UInt8](data)
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe writeFile(descriptor, buffer.baseAddress! + written, buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("cannot write", path) }
      written += count
    }
  }
}

/// `write` of the C library, under a name that the extension's own function does not hide.
// Safe: the caller has `count` bytes at the address.
private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
