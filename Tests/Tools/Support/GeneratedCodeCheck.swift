import Foundation

/// Checks with the compiler that code compiles against the runtime that was built in the repository.
package enum GeneratedCodeCheck {
  /// The repository.
  package static let package = URL(filePath: #filePath)
    .appending(path: "../../../..").standardizedFileURL
  private static let modules = package.appending(path: ".build/debug/Modules")
  /// Whether the runtime was built for debugging.
  package static let isPossible = FileManager.default.fileExists(
    atPath: modules.appending(path: "GraphQLRuntime.swiftmodule").path)

  package static let defaultLanguage =
    ["-swift-version", "6"] + enabling(["InternalImportsByDefault"])

  /// The arguments that enable features of the compiler.
  package static func enabling(_ features: [String]) -> [String] {
    features.flatMap { ["-enable-upcoming-feature", $0] }
  }

  /// One compiler runs at a time, and not on the threads on which other tests run: those with real
  /// deadlines would not get one in time.
  private static let queue = DispatchQueue(label: "compilers")

  /// The compiler's output for the files of a module, with the settings of the package.
  package static func complaints(
    about files: [(name: String, contents: String)], language: [String] = defaultLanguage
  ) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try compile(files, language) })
      }
    }
  }

  private static func compile(
    _ files: [(name: String, contents: String)], _ language: [String]
  ) throws -> String {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for file in files {
      let path = folder.file(file.name)
      try file.contents.write(to: path, atomically: false, encoding: .utf8)
      paths.append(path.path)
    }
    let arguments =
      [
        "swiftc", "-typecheck", "-wmo", "-warnings-as-errors",
        "-package-name", "p",
        "-enable-upcoming-feature", "ExistentialAny",
        "-enable-upcoming-feature", "MemberImportVisibility",
        "-module-name", "Generated", "-I", modules.path,
        // The module map of the C module that GraphQLRuntime imports.
        "-I", modules.deletingLastPathComponent().appending(path: "CTreeswiftAtomics.build").path,
      ] + language + paths
    let (end, text) = try ChildProcess(
      URL(filePath: "/usr/bin/env"), arguments, output: .pipe, error: nil
    ).collect()
    return end == .exit(0) ? text : "failed: " + text
  }
}
