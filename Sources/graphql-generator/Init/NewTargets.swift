import GraphQLCodeGen

/// The files of the targets that `init` makes.
struct NewTargets {
  let manifest: Manifest
  /// Whether to make the manifest and the program as well.
  let isWholePackage: Bool
  /// Whether to make a `.gitignore` in a whole package: the folder has none.
  let ignoresBuild: Bool

  /// Generates the module when the package is built.
  let pipeline: GeneratorPipeline

  /// - Parameters:
  ///   - schema: nil before it is known.
  ///   - program: the text of the program.
  func files(in root: String, schema: OutputFile?, program: String) -> NewFiles {
    let sources = [
      file("\(manifest.module).swift", module(schema)), file(ConfigurationFile.name, configuration),
    ]
    var folders = [
      (path: "Sources/\(manifest.module)", files: sources + [schema].compactMap(\.self))
    ]
    guard isWholePackage else { return NewFiles(root: root, folders: folders, files: []) }
    folders.append((path: "Sources/\(manifest.name)", files: [file("main.swift", program)]))
    let ignored = ignoresBuild ? [file(Self.gitignore, ".build\n")] : []
    return NewFiles(
      root: root, folders: folders, files: ignored + [file(Manifest.fileName, manifest.text)])
  }

  /// The file that names what Git leaves out.
  static let gitignore = ".gitignore"

  /// SwiftPM requires a Swift file in each target.
  private func module(_ schema: OutputFile?) -> String {
    "// The rest of this module is generated from \(schema?.name ?? "") when it is built.\n"
  }

  private var configuration: String {
    """
    {
      "namespace": "\(pipeline.configuration.namespace)"
    }

    """
  }

  private func file(_ name: String, _ text: String) -> OutputFile {
    OutputFile(name: name, bytes: Array(text.utf8))
  }
}
