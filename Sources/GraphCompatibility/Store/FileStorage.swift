import Foundation
import GraphStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Small values in separate files, such as settings.
public protocol FileStorage: Sendable {
  /// Reads the value in a file.
  ///
  /// - Returns: nil if there is no such file.
  /// - Throws: if the file cannot be read, or does not contain such a value.
  func data<Value: Decodable>(for file: URL) throws -> Value?

  /// Writes a value to a file, completely or not at all.
  func write<Value: Encodable>(_ value: Value, to file: URL) throws

  /// Deletes a regular file; a missing file is not an error.
  ///
  /// - Throws: if there is something else at the path, such as a folder or a symbolic link.
  func deleteFile(at file: URL) throws
}

/// Values as binary property lists in files that only their owner can read (0600).
///
/// The files are ordinary property lists: files of `PropertyListEncoder` can be read, in any of the
/// formats, and `PropertyListDecoder` can read the files written here. A property list's root is a
/// list or a dictionary; a single number, text, date, or null is written as a list with one
/// element.
///
/// A value is written to a temporary file that replaces the old one in one step. So a reader in any
/// thread or process finds the old value or the new one, and with two writers the later one wins.
public struct PropertyListFileStorage: FileStorage {
  public init() {}

  public func data<Value: Decodable>(for file: URL) throws -> Value? {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
    let decoder = PropertyListDecoder()
    do {
      return try decoder.decode(Value.self, from: data)
    } catch {
      // Also reads the files of earlier versions, which put a list around every value.
      guard let list = try? decoder.decode([Value].self, from: data), list.count == 1 else {
        throw error
      }
      return list[0]
    }
  }

  public func write<Value: Encodable>(_ value: Value, to file: URL) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch let error as EncodingError {
      // A single value can only be encoded in this way; a value that cannot be encoded at all
      // throws its own error.
      guard let list = try? encoder.encode([value]) else { throw error }
      data = list
    }
    try FileSafety.replace(file, with: data)
  }

  public func deleteFile(at file: URL) throws {
    try FileSafety.delete(file.path)
  }
}

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
