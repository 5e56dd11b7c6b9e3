import Foundation

/// Files that only their user can read, and that are either complete or absent.
enum PrivateFile {
  /// Writes to a new file next to `url` and renames it. Directories below and including `root` are
  /// created with the permissions 0700.
  // Safe: the paths are strings that the calls borrow; the descriptor belongs to `file`.
  static func write(_ bytes: [UInt8], to url: URL, in root: URL) throws {
    let folder = url.deletingLastPathComponent()
    for directory in [root, folder] { try createFolder(directory) }
    let fresh = folder.appendingPathComponent(".\(UUID().uuidString)")
    let descriptor = unsafe open(fresh.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw systemError() }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: Data(bytes))
      try file.close()
      guard unsafe rename(fresh.path, url.path) == 0 else { throw systemError() }
    } catch {
      try? FileManager.default.removeItem(at: fresh)
      throw error
    }
  }

  /// Creates a folder with the permissions 0700 unless it exists.
  static func createFolder(_ folder: URL) throws {
    let manager = FileManager.default
    guard !manager.fileExists(atPath: folder.path) else { return }
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Sets the permissions explicitly, since the process's mask may have removed some.
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
  }

  private static func systemError() -> POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }
}
