import Foundation
import GraphJSON

/// The form of a stored response: a marker, the SHA-256 of the rest, a line of JSON with the time
/// and the key, and the response.
enum CacheFile {
  private static let mark = Array("GRC1".utf8)

  static func encode(_ response: Graph.CachedResponse, key: Graph.CacheKey) -> [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "key": .string(key.name), "boot": .string(response.storedAt.boot),
      "wall": JSON(response.storedAt.wall.milliseconds),
      "uptime": JSON(response.storedAt.uptime.milliseconds),
    ])
    let content = writer.finish() + [UInt8(ascii: "\n")] + response.bytes
    return mark + SHA256.digest(content) + content
  }

  /// - Returns: nil if the file was changed, or was not written under `key`.
  static func decode(_ bytes: [UInt8], key: Graph.CacheKey) -> Graph.CachedResponse? {
    let start = mark.count + 32
    guard bytes.count > start, bytes.starts(with: mark) else { return nil }
    let content = bytes[start...]
    guard SHA256.digest(content).elementsEqual(bytes[mark.count..<start]),
      let lineEnd = content.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(content[..<lineEnd])).root,
      head["key"]?.string == key.name, let boot = head["boot"]?.string,
      let wall = head["wall"]?.int, let uptime = head["uptime"]?.int
    else { return nil }
    return Graph.CachedResponse(
      bytes: Array(content[(lineEnd + 1)...]),
      storedAt: Graph.Timestamp(
        wall: .milliseconds(wall), uptime: .milliseconds(uptime), boot: boot))
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

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
