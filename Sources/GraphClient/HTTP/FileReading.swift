import Foundation
import GraphJSON

extension FileHandle {
  /// Opens a file for reading. Child processes do not inherit the descriptor.
  // Safe: the path is valid during the call.
  static func reading(_ file: URL) throws -> FileHandle {
    let descriptor = unsafe file.withUnsafeFileSystemRepresentation { path -> Int32 in
      guard let path = unsafe path else { return -1 }
      return unsafe open(path, O_RDONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: file.path])
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

extension SHA256 {
  /// The digest of a file's bytes in lower-case hexadecimal digits. Reads it piece by piece.
  package static func hexDigest(ofFile file: URL) throws -> String {
    let handle = try FileHandle.reading(file)
    defer { try? handle.close() }
    var hash = SHA256()
    while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty { hash.update(piece) }
    return hash.finish().hexadecimal
  }
}
