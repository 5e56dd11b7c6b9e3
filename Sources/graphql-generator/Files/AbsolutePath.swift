/// A path from the root of the file system, without `.` and `..`.
struct AbsolutePath: Equatable, CustomStringConvertible {
  var components: [String]

  /// - Parameter path: begins with a slash.
  init(_ path: String) {
    components = []
    for component in path.split(separator: "/") {
      switch component {
      case ".": break
      case "..": _ = components.popLast()
      default: components.append(String(component))
      }
    }
  }

  var description: String { "/" + components.joined(separator: "/") }

  /// The path from a folder to this one. The absolute path if they have nothing in common: then
  /// only the new package is likely to be moved.
  func relative(to folder: AbsolutePath) -> String {
    let common = zip(components, folder.components).prefix { $0 == $1 }.count
    guard common > 0 else { return description }
    let path =
      Array(repeating: "..", count: folder.components.count - common)
      + components.dropFirst(common)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

extension FileAccess {
  /// The path without symbolic links, as far as there are files.
  func absolute(_ path: String) -> AbsolutePath {
    var existing = path.isEmpty ? "." : path
    var missing = ""
    while true {
      if let real = System.realPath(existing) { return AbsolutePath("\(real)/\(missing)") }
      if existing == "/" || existing == "." { return AbsolutePath("/\(missing)") }
      while existing.utf8.count > 1, existing.hasSuffix("/") { existing.removeLast() }
      missing = "\(Path.name(of: existing))/\(missing)"
      let folder = Path.folder(of: existing)
      existing = folder.isEmpty ? "." : folder
    }
  }
}
