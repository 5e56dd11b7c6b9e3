/// Paths as text, so that messages show them in the user's form.
///
/// `URL` changes that form: the folder of `file` is `.`, and a message would be about `./other`.
enum Path {
  /// The part before the last component; empty for a file of the current folder.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Whether the text is the name of a file and not a path.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.utf8.contains { $0 == 0x2F || $0 == 0 }
  }

  /// The path, relative to a folder.
  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty || path.hasPrefix("/") { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

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
