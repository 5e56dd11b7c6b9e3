import Foundation

/// All that the tool does with the file system.
struct FileAccess {
  /// No schema comes near; it bounds the memory that a wrong path can take.
  static let maximumByteCount = 256 << 20

  private var manager: FileManager { .default }

  func exists(_ path: String) -> Bool { manager.fileExists(atPath: path) }

  func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return manager.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  func read(_ path: String) throws(FileError) -> [UInt8] {
    guard exists(path) else { throw .missing(path: path) }
    guard !isFolder(path) else { throw .isFolder(path: path) }
    do {
      let size = try manager.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      guard size <= Self.maximumByteCount else {
        throw FileError.tooLarge(path: path, byteCount: size)
      }
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch let error as FileError {
      throw error
    } catch {
      throw .unreadable(path: path, reason: FileError.reason(error))
    }
  }

  /// Whether the file begins with the line.
  func file(_ path: String, beginsWith line: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    let expected = Data((line + "\n").utf8)
    return (try? handle.read(upToCount: expected.count)) == expected
  }

  /// The names in a folder, sorted; none if it does not exist.
  func names(in folder: String) throws(FileError) -> [String] {
    guard exists(folder) else { return [] }
    guard isFolder(folder) else { throw .isNoFolder(path: folder) }
    do {
      return try manager.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .unreadable(path: folder, reason: FileError.reason(error))
    }
  }

  func remove(_ path: String) throws(FileError) {
    do { try manager.removeItem(atPath: path) } catch {
      throw .undeletable(path: path, reason: FileError.reason(error))
    }
  }

  /// Replaces a file as a whole: whoever reads it sees the old contents or the new ones.
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard !isFolder(path) else { throw .isFolder(path: path) }
    let folder = Path.folder(of: path)
    try replace(
      [OutputFile(name: Path.name(of: path), bytes: bytes)], in: folder.isEmpty ? "." : folder
    ) {}
  }

  /// Replaces several files of a folder, each as a whole, and none before all are safely on disk.
  ///
  /// - Parameter beforeReplacing: runs when all is on disk, before the first file is replaced.
  func replace(
    _ contents: [OutputFile], in folder: String,
    beforeReplacing: () throws(FileError) -> Void
  ) throws(FileError) {
    let isNew = !exists(folder)
    let staging = Path.join(folder, ".graphql-generator-\(UUID().uuidString)")
    var isDone = false
    defer {
      try? manager.removeItem(atPath: staging)
      if isNew, !isDone { rmdir(folder) }
    }
    try createFolder(staging)
    for file in contents {
      do { try Data(file.bytes).write(to: URL(filePath: Path.join(staging, file.name))) } catch {
        throw .unwritable(path: Path.join(folder, file.name), reason: FileError.reason(error))
      }
    }
    try beforeReplacing()
    for file in contents {
      let path = Path.join(folder, file.name)
      guard rename(Path.join(staging, file.name), path) == 0 else {
        throw .unwritable(path: path, reason: String(cString: strerror(errno)))
      }
    }
    isDone = true
  }

  private func createFolder(_ path: String) throws(FileError) {
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path: Path.folder(of: path), reason: FileError.reason(error))
    }
  }
}
