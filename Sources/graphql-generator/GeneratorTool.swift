#if !ONE_MODULE
  import GraphQLSchema
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `graphql-generator`, which reads GraphQL schemas and documents, and writes packages, Swift, diagnostics, SDL or
/// introspection results, manifests, differences and figures; and `graphql-generate`, which has only its subcommand
/// `generate`. Both are compiled from the same sources, apart from their subcommands.
@main
enum GeneratorTool {
  static let version = "0.1.0"

  static let versionText = "graphql-generator \(version)"

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var results: [any Sendable] = []
    let status = run(arguments, files: FileAccess(), console: .standard) { results.append($0) }
    // The end of the process returns all memory at once: freeing a schema and its plan individually
    // takes a twentieth of the time of generating. Nothing else is left to do: `exit` would only report that memory as
    // leaked, in a build with the address sanitizer.
    withExtendedLifetime(results) { _exit(status.rawValue) }
  }

  /// Reads the command line, runs the subcommand and reports errors.
  ///
  /// - Parameter keep: Keeps large results, for a process that is about to end.
  static func run(
    _ arguments: [String], files: FileAccess, console: Console,
    keep: (any Sendable) -> Void = { _ in }
  ) -> ExitStatus {
    do {
      return try CommandLineReader.command(from: arguments)
        .run(files: files, console: console, keeping: keep)
    } catch let error as UsageError {
      console.report(error.description)
      return .usage
    } catch let error as Diagnostics {
      console.report(error)
      return .problems
    } catch let error as FileError {
      console.report(error.diagnostic)
      return .problems
    } catch {
      console.report("error: \(error)")
      return .problems
    }
  }
}

/// The exit status of the process.
enum ExitStatus: Int32 {
  case success = 0
  /// The input has errors, a file could not be read or written, `--check` found a difference, or
  /// `diff` a breaking change.
  case problems = 1
  /// The command line is invalid.
  case usage = 2
}
