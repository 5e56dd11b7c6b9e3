import Foundation

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
