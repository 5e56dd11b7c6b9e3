#if !ONE_MODULE
  import GraphJSON
  import GraphQLSchema
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The tool's access to the file system: Foundation, with the errors that users see.
///
/// It uses FoundationEssentials, since loading all of Foundation on Linux takes longer than reading a
/// large schema.
struct FileAccess {
  /// Far larger than any schema; it limits the memory that a wrong path can take.
  static let maximumByteCount = 256 << 20

  /// The kind of file at a path, after following symbolic links.
  enum Kind {
    case nothing, file, folder
    /// A device, a pipe or a socket.
    case other
  }

  /// The bytes of a file, or of a pipe up to its end.
  func read(_ path: String) throws(FileError) -> [UInt8] {
    switch kind(of: path) {
    case .nothing: throw .missing(path: path)
    case .folder: throw .isFolder(path: path)
    case .file, .other: break
    }
    let contents = try attempt(FileError.unreadable, path) {
      try bytes(of: path, upToCount: Self.maximumByteCount + 1)
    }
    guard contents.count <= Self.maximumByteCount else { throw .tooLarge(path: path) }
    return contents
  }

  /// Whether there is a file that starts with the line.
  func file(_ path: String, beginsWith line: String) -> Bool {
    guard kind(of: path) == .file else { return false }
    let expected = Array((line + "\n").utf8)
    return (try? bytes(of: path, upToCount: expected.count)) == expected
  }

  /// The names in a folder, sorted; none if it does not exist.
  func names(in folder: String) throws(FileError) -> [String] {
    switch kind(of: folder) {
    case .nothing: return []
    case .file, .other: throw .isNoFolder(path: folder)
    case .folder:
      return try attempt(FileError.unreadable, folder) {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      }
    }
  }

  /// A path that begins with `~` is in the current folder here, as everywhere else in the tool.
  func url(_ path: String) -> URL { URL(filePath: path.hasPrefix("~") ? "./\(path)" : path) }

  /// - Parameter failure: makes the error from the path and a reason.
  func attempt<Result>(
    _ failure: (_ path: String, _ reason: String) -> FileError, _ path: String,
    _ work: () throws -> Result
  ) throws(FileError) -> Result {
    do { return try work() } catch { throw failure(path, FileError.reason(for: error)) }
  }
}

extension FileAccess {
  /// The files with an extension in a folder and in those within it, except hidden ones, by path.
  ///
  /// - Parameter ending: the extension with its full stop.
  func files(below folder: String, ending: String) throws(FileError) -> [String] {
    try FolderSearch(
      in: folder, ending: ending, names: names,
      isFolder: { path in
        switch kind(of: path) {
        case .folder: true
        case .file: false
        case .nothing, .other: nil
        }
      }, resolved: absolute
    ).files
  }
}

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

  /// Removes a file, or a folder with everything in it, if possible.
  func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

/// Calls of the system, where Foundation does something else or nothing. GeneratorToolTests has a test
/// for each of them.
// Safe: paths are strings that the calls borrow, and other arguments are local variables.
extension FileAccess {
  /// Foundation's attributes of a symbolic link are those of the link, not of its file.
  func kind(of path: String) -> Kind {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return .nothing }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The bytes of a file or pipe up to a number. `Data(contentsOf:)` has no limit, and reads no pipe
  /// on Linux.
  func bytes(of path: String, upToCount limit: Int) throws(POSIXError) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw POSIXError.last }
    defer { close(file) }
    return try contents(of: file, upToCount: limit)
  }

  /// Moves a file, over another one if there is one, or a folder, over an empty one.
  /// `FileManager.moveItem` replaces nothing, and FoundationEssentials has no `replaceItemAt`.
  func move(_ path: String, over other: String) throws(FileError) {
    try attempt(FileError.unwritable, other) {
      guard unsafe rename(path, other) == 0 else { throw POSIXError.last }
    }
  }

  /// The path without symbolic links and `..`, as far as there are files. `URL` resolves no link in a
  /// path whose end does not exist, and removes `..` together with a link in front of it.
  // Safe: the result is a string that ends in a zero byte, which is copied before it is freed.
  func absolute(_ path: String) -> String {
    if let real = unsafe realpath(path.isEmpty ? "." : path, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    if path.isEmpty { return "/" }
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    let whole = Path.join(absolute(Path.folder(of: path)), Path.name(of: path))
    return url(whole).standardizedFileURL.path
  }
}

// Not a method, since in `FileAccess` another function has the name `read`.
// Safe: `read` fills at most the `room` bytes that `part` has.
private func contents(of file: Int32, upToCount limit: Int) throws(POSIXError) -> [UInt8] {
  var contents: [UInt8] = []
  var part = [UInt8](repeating: 0, count: min(limit, 1 << 16))
  while contents.count < limit {
    let room = min(part.count, limit - contents.count)
    let count = unsafe part.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, room) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw POSIXError.last }
    if count == 0 { break }
    contents += part[..<count]
  }
  return contents
}

extension POSIXError {
  /// The error of the last call of the system.
  static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

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
}

/// An error of a file, with a suggestion.
enum FileError: Error, Equatable {
  case missing(path: String)
  case missingFolder(path: String)
  case isFolder(path: String)
  case isNoFolder(path: String)
  /// A device, a pipe or a socket, which cannot be replaced.
  case isNoFile(path: String)
  case tooLarge(path: String)
  case unreadable(path: String, reason: String)
  case unwritable(path: String, reason: String)
  case undeletable(path: String, reason: String)
  /// A folder of usage sources has no Swift sources.
  case holdsNoSources(path: String)
  /// A schema folder has no SDL files.
  case holdsNoSchema(path: String)
  /// A generated file would replace a file that was not generated.
  case foreign(path: String)
  /// A new file would replace something.
  case exists(path: String)
  /// A configuration of editors would replace one of the user.
  case notWritten(path: String)
  /// A manifest would replace a file that is none.
  case isNoManifest(path: String)

  var diagnostic: Diagnostic {
    let (path, message, advice) = parts
    return Diagnostic(
      code: "file", message: "\(path): \(message)", suggestion: advice)
  }

  private var parts: (path: String, message: String, advice: String?) {
    switch self {
    case .missing(let path):
      (path, "There is no such file.", "Check the path; it is relative to the current folder.")
    case .missingFolder(let path):
      (path, "There is no such folder.", "Check the path; it is relative to the current folder.")
    case .isFolder(let path):
      (path, "This is a folder where a file is needed.", nil)
    case .isNoFolder(let path):
      (
        path, "This is a file where a folder is needed.",
        "Choose another --output, or move the file."
      )
    case .isNoFile(let path):
      (path, "This is not a regular file.", "Choose another --output.")
    case .tooLarge(let path):
      (path, "The file is too large; the maximum is \(FileAccess.maximumByteCount) bytes.", nil)
    case .unreadable(let path, let reason):
      (path, "The file cannot be read: \(reason).", nil)
    case .unwritable(let path, let reason):
      (path, "It cannot be written: \(reason).", "Nothing was changed.")
    case .undeletable(let path, let reason):
      (path, "The file is no longer needed and cannot be removed: \(reason).", nil)
    case .holdsNoSources(let path):
      (
        path, "This folder contains no Swift sources, so the used fields cannot be determined.",
        "List the folders of all targets that use the module, with --sources or under `pruning`, `usage`."
      )
    case .holdsNoSchema(let path):
      (path, "There are no .graphqls or .graphql files in this folder.", nil)
    case .foreign(let path):
      (
        path, "This file was not generated and would be overwritten.",
        "Move it, or choose another --output or --namespace."
      )
    case .exists(let path):
      (
        path, "This path already exists, and init does not replace files.",
        "Choose another --name or --output, or move it. To update a schema, use download-schema."
      )
    case .notWritten(let path):
      (
        path, "This file was not written by this tool and would be replaced.",
        "Choose another --output, or move it."
      )
    case .isNoManifest(let path):
      (
        path, "This file is not a manifest of operations and would be replaced.",
        "Choose another --manifest, or move it."
      )
    }
  }
}

extension FileError {
  /// The system's reason for an error, as a phrase. Foundation's own texts name no reason.
  // Safe: `strerror` returns text that ends in a zero byte, and it is copied at once.
  static func reason(for error: any Error) -> String {
    guard let cause = ((error as? CocoaError)?.underlying ?? error) as? POSIXError else {
      return "\(error)"
    }
    switch cause.code {
    case .EACCES, .EPERM: return "permission denied"
    case .ENOSPC, .EDQUOT: return "no space is left"
    case .EROFS: return "the volume is read-only"
    case .ENOENT: return "there is no such file or folder"
    case .EEXIST, .ENOTDIR: return "there is a file where a folder is needed"
    default: return unsafe String(cString: strerror(cause.code.rawValue))
    }
  }
}

/// Standard output and standard error, or their replacements in tests.
struct Console {
  /// Takes bytes for standard output.
  let output: ([UInt8]) throws -> Void
  /// Takes text for standard error.
  let error: (String) -> Void
  /// Whether standard error is a terminal on which progress is visible.
  let isWatched: Bool

  /// A result, on standard output.
  func write(_ line: String) throws(FileError) { try write(Array((line + "\n").utf8)) }

  /// A result, on standard output.
  func write(_ bytes: [UInt8]) throws(FileError) {
    do { try output(bytes) } catch {
      throw .unwritable(path: "standard output", reason: FileError.reason(for: error))
    }
  }

  /// A problem, on standard error.
  func report(_ text: String) { error(text + "\n") }

  func report(_ diagnostic: Diagnostic) { report(diagnostic.description) }

  func report(_ diagnostics: Diagnostics) {
    for diagnostic in diagnostics.elements { report(diagnostic) }
  }
}

extension Console {
  /// `FileHandle` is not in FoundationEssentials, and `print` reports no error.
  static var standard: Console {
    Console(
      output: { try writeAll($0, to: STDOUT_FILENO) },
      // If standard error is closed, the message cannot be shown.
      error: { try? writeAll(Array($0.utf8), to: STDERR_FILENO) },
      isWatched: isatty(STDERR_FILENO) == 1)
  }
}

// Not a method, since in `Console` another function has the name `write`.
// Safe: the slice has the bytes from `start` on, which are valid during the call.
private func writeAll(_ bytes: [UInt8], to file: Int32) throws(POSIXError) {
  var start = 0
  while start < bytes.count {
    let count = unsafe bytes[start...].withUnsafeBytes {
      unsafe write(file, $0.baseAddress, $0.count)
    }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw POSIXError.last }
    start += count
  }
}

/// One line on a terminal that shows the progress of long work, and is removed when the work is
/// done.
struct Progress {
  /// Number of input bytes below which the work ends before the line could be read.
  static let longWork = 200_000

  private let console: Console
  private let isShown: Bool

  init(console: Console, inputSize: Int, isQuiet: Bool = false) {
    self.console = console
    isShown = console.isWatched && !isQuiet && inputSize >= Self.longWork
  }

  /// Shows the line while the work lasts.
  func during<Result, Failure: Error>(
    _ line: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isShown else { return try work() }
    console.error("\(line)…")
    defer { console.error(Self.eraseLine) }
    return try work()
  }

  private static let eraseLine = "\r\u{1B}[K"
}
