import GraphQLSchema

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `graphql-generator`: reads GraphQL schemas and documents, and writes packages, Swift, diagnostics, SDL
/// or introspection results, manifests, differences and figures.
@main
enum GeneratorTool {
  static let version = "0.1.0"

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
      switch try CommandLineReader.command(from: arguments) {
      case .help(let subcommand): try console.write(Help.text(for: subcommand))
      case .version: try console.write("graphql-generator \(version)")
      case .initialize(let options):
        return try Initialize(options: options, files: files, console: console).run()
      case .generate(let options):
        return try Generate(options: options, files: files, console: console).run(keeping: keep)
      case .check(let options):
        return try Check(options: options, files: files, console: console).run()
      case .graphQLConfig(let options):
        return try GraphQLConfig(options: options, files: files, console: console).run()
      case .validate(let options):
        return try Validate(options: options, files: files, console: console).run(keeping: keep)
      case .print(let options):
        return try Print(options: options, files: files, console: console).run()
      case .diff(let options):
        return try Diff(options: options, files: files, console: console).run()
      case .stats(let options):
        return try Stats(options: options, files: files, console: console).run()
      case .completions(let shell):
        return try Completions(shell: shell, console: console).run()
      case .downloadSchema(let options):
        return try DownloadSchema(options: options, files: files, console: console).run()
      }
      return .success
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
