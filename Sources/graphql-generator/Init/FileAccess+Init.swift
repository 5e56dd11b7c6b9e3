#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FileAccess {
  /// Moves a file to a place where nothing is.
  func move(_ path: String, toNew other: String) throws(FileError) {
    do { try FileManager.default.moveItem(atPath: path, toPath: other) } catch {
      guard (error as? CocoaError)?.code == .fileWriteFileExists else {
        throw .unwritable(path: other, reason: FileError.reason(for: error))
      }
      throw .exists(path: other)
    }
  }

  /// `removeItem` would also remove what others have put into the folder.
  func removeIfEmpty(_ folder: String) {
    if let names = try? names(in: folder), names.isEmpty { remove(folder) }
  }

  /// The path of this program; nil if the system does not report it. `Bundle` is not in
  /// FoundationEssentials.
  var executable: String? {
    if kind(of: "/proc/self/exe") == .file { return absolute("/proc/self/exe") }
    // Without /proc, the path with which the program was started, unless a shell has searched for it.
    return CommandLine.arguments.first.flatMap { $0.contains("/") ? absolute($0) : nil }
  }
}

extension Path {
  /// The path from a folder to a file or folder; both are absolute. The absolute path if they have
  /// nothing in common: then only the new package is likely to be moved.
  static func relative(_ path: String, to folder: String) -> String {
    let (target, origin) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(target, origin).prefix { $0 == $1 }.count
    guard common > 0 else { return path }
    let steps = Array(repeating: "..", count: origin.count - common) + target.dropFirst(common)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
