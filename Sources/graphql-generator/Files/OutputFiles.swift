import GraphQLCodeGen

/// A generated file before it is written to disk.
struct OutputFile: Equatable {
  let name: String
  let bytes: [UInt8]
}

/// The folder of the generated files.
struct OutputFolder {
  let path: String
  let files: FileAccess

  /// The changes after which the folder has exactly these generated files.
  func changes(for generated: [OutputFile]) throws(FileError) -> OutputChanges {
    // The listing, not the file system, determines whether a file exists: if letter case is
    // ignored, a file whose name differs only in case is a stale one.
    let existing = Set(try files.names(in: path))
    var changes = OutputChanges()
    for file in generated {
      let path = Path.join(path, file.name)
      guard existing.contains(file.name) else {
        changes.missing.append(file)
        continue
      }
      guard files.kind(of: path) != .other else { throw .isNoFile(path: path) }
      guard try files.read(path) != file.bytes else {
        changes.unchanged.append(file.name)
        continue
      }
      guard files.file(path, beginsWith: GeneratedFile.header) else {
        throw .foreign(path: path)
      }
      changes.different.append(file)
    }
    let needed = Set(generated.map(\.name))
    changes.stale = existing.subtracting(needed).sorted().filter { name in
      name.hasSuffix(".swift")
        && files.file(Path.join(path, name), beginsWith: GeneratedFile.header)
    }
    return changes
  }

  /// Makes the changes.
  func apply(_ changes: OutputChanges) throws(FileError) {
    guard !changes.isEmpty else { return }
    try files.replace(changes.missing + changes.different, removing: changes.stale, in: path)
  }
}

/// The difference between an output folder and its expected contents.
struct OutputChanges: Equatable {
  /// Files that do not exist.
  var missing: [OutputFile] = []
  /// Files with other contents.
  var different: [OutputFile] = []
  /// Names of the unchanged files.
  var unchanged: [String] = []
  /// Names of generated files that are no longer needed.
  var stale: [String] = []

  var isEmpty: Bool { missing.isEmpty && different.isEmpty && stale.isEmpty }
}
