#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FileAccess {
  /// Replaces a file as a whole: readers see the old contents or the new ones.
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    switch kind(of: path) {
    case .nothing, .file: break
    case .folder: throw .isFolder(path: path)
    case .other: throw .isNoFile(path: path)
    }
    let folder = Path.folder(of: path)
    try replace(
      [OutputFile(name: Path.name(of: path), bytes: bytes)], in: folder.isEmpty ? "." : folder)
  }

  /// Replaces several files of a folder, each as a whole, after all of them are written to a
  /// temporary folder.
  ///
  /// - Parameter stale: names of files to remove, after all are written and before the first is
  ///   replaced: on a file system that ignores letter case, one may have the name of a new file.
  func replace(
    _ files: [OutputFile], removing stale: [String] = [], in folder: String
  ) throws(FileError) {
    let staging = try makeStagingFolder(for: folder)
    defer { remove(staging) }
    try write(files, into: staging, shownAs: folder)
    try attempt(FileError.unwritable, folder) {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    }
    for name in stale {
      let path = Path.join(folder, name)
      try attempt(FileError.undeletable, path) { try FileManager.default.removeItem(atPath: path) }
    }
    for file in files {
      try move(Path.join(staging, file.name), over: Path.join(folder, file.name))
    }
  }

  /// A new hidden folder from which files can be moved into a folder in one step. It is in that
  /// folder or, while that does not exist, in the nearest one around it.
  func makeStagingFolder(for folder: String) throws(FileError) -> String {
    var place = folder
    while kind(of: place) == .nothing, !place.isEmpty { place = Path.folder(of: place) }
    // The first run has put its own into the folder around this one.
    for place in Set([place, Path.folder(of: folder)]) {
      removeAbandonedStagingFolders(in: place.isEmpty ? "." : place)
    }
    let staging = Path.join(place, "\(Self.stagingPrefix)\(UUID().uuidString)")
    try makeFolder(staging, shownAs: folder)
    return staging
  }

  private static let stagingPrefix = ".graphql-generator-"

  /// Removes the folders that processes have left which were killed. No process needs one for an hour.
  private func removeAbandonedStagingFolders(in folder: String) {
    let oldest = Date(timeIntervalSinceNow: -3600)
    for name in (try? names(in: folder)) ?? [] where name.hasPrefix(Self.stagingPrefix) {
      let path = Path.join(folder, name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      if let date = attributes?[.modificationDate] as? Date, date < oldest { remove(path) }
    }
  }

  /// Creates a folder that does not exist yet, in one that does.
  ///
  /// - Parameter shown: the folder in messages.
  func makeFolder(_ path: String, shownAs shown: String) throws(FileError) {
    try attempt(FileError.unwritable, shown) {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
  }

  /// Writes new files into a folder.
  ///
  /// - Parameter shown: the folder in messages.
  func write(_ files: [OutputFile], into folder: String, shownAs shown: String) throws(FileError) {
    for file in files {
      try attempt(FileError.unwritable, Path.join(shown, file.name)) {
        try Data(file.bytes).write(to: url(Path.join(folder, file.name)))
      }
    }
  }

  /// Moves a file to a place where nothing is.
  func move(_ path: String, toNew other: String) throws(FileError) {
    do { try FileManager.default.moveItem(atPath: path, toPath: other) } catch {
      guard (error as? CocoaError)?.code == .fileWriteFileExists else {
        throw .unwritable(path: other, reason: FileError.reason(for: error))
      }
      throw .exists(path: other)
    }
  }

  /// Removes a file, or a folder with everything in it, if possible.
  func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// `removeItem` would also remove what others have put into the folder.
  func removeIfEmpty(_ folder: String) {
    if let names = try? names(in: folder), names.isEmpty { remove(folder) }
  }
}
