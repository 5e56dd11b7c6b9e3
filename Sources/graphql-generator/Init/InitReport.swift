import GraphQLCodeGen

/// The report of `init`: the files, and the next step of the user.
struct InitReport {
  let place: NewPackagePlace
  let manifest: Manifest
  let program: FirstProgram
  let typeCount: Int

  func text(of files: NewFiles, isDryRun: Bool) -> String {
    let lines = files.paths.map { "\(isDryRun ? "write" : "wrote"): \($0)" }
    let note = isDryRun ? " (dry run, nothing was done)" : ""
    let count = "\(lines.count) files, for a schema with \(typeCount) types\(note)"
    return (lines + [count, "", place.isPackage ? additions : command]).joined(separator: "\n")
  }

  /// The command that runs the program.
  private var command: String {
    """
    The program requests \(program.query.path). Build and run it:

      \(assignments)swift run \(place.root == "." ? "" : "--package-path \(shellWord(place.root)) ")\(place.name)
    """
  }

  private var additions: String {
    let needs = assignments.isEmpty ? "" : " and needs \(assignments)in its environment"
    return """
      \(manifest.additions)

      A first query, which requests \(program.query.path)\(needs):

      \(program.text)
      """
  }

  private var assignments: String { program.assignments.map { $0 + " " }.joined() }

  /// A path as a word of a shell's command line.
  private func shellWord(_ path: String) -> String {
    let plain = path.utf8.allSatisfy {
      ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10
        || "/._-+".utf8.contains($0) || $0 >= 0x80
    }
    return plain ? path : "'\(path.replacing("'", with: #"'\''"#))'"
  }
}
