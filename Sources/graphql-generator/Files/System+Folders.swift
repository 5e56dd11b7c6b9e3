#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Safe: paths are strings that the calls borrow, and their results are read before the next call.
extension System {
  /// The names in a folder, in no order, without `.` and `..`.
  static func names(in folder: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(folder) else { throw SystemError(code: errno) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      // The end and an error look the same otherwise.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        let code = errno
        guard code == 0 else { throw SystemError(code: code) }
        return names
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Creates a folder and its parents if they do not exist.
  static func makeFolder(_ path: String) throws(SystemError) {
    var part = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      part += name
      if unsafe mkdir(part, 0o777) != 0 {
        let code = errno
        guard kind(of: part) == .folder else { throw SystemError(code: code) }
      }
      part += "/"
    }
  }

  /// Creates a folder that does not exist yet, in one that does.
  static func makeNewFolder(_ path: String) throws(SystemError) {
    guard unsafe mkdir(path, 0o777) == 0 else { throw SystemError(code: errno) }
  }

  /// Creates a hidden folder with a new name, and returns its path.
  static func makeTemporaryFolder(in folder: String) throws(SystemError) -> String {
    var template = Array(Path.join(folder, ".graphql-generator-XXXXXX").utf8CString)
    let path = unsafe template.withUnsafeMutableBufferPointer {
      unsafe mkdtemp($0.baseAddress!).map { unsafe String(cString: $0) }
    }
    guard let path else { throw SystemError(code: errno) }
    return path
  }

  static func removeFile(_ path: String) throws(SystemError) {
    guard unsafe unlink(path) == 0 else { throw SystemError(code: errno) }
  }

  /// Removes a folder if it is empty.
  static func removeEmptyFolder(_ path: String) {
    unsafe rmdir(path)
  }
}
