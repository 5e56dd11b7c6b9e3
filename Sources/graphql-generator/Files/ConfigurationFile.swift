import GraphQLCodeGen
import GraphQLSchema

/// `graphql-generator.json`, and its location, since its paths are relative to it.
struct ConfigurationFile {
  static let name = "graphql-generator.json"
  static let defaultSchema = "schema.json"
  static let defaultOutput = "Generated"

  /// The defaults if there is no file.
  private(set) var configuration: Configuration
  private let path: String
  private let folder: String

  /// Reads the named file, or else one next to the schema, or in the current folder without a
  /// schema, if it exists.
  ///
  /// - Parameter namespace: overrides the configured one.
  init(
    named path: String?, beside schema: String?, namespace: String?, files: FileAccess
  ) throws {
    let candidate = path ?? Path.join(schema.map(Path.folder) ?? "", Self.name)
    self.path = candidate
    folder = Path.folder(of: candidate)
    configuration =
      if path != nil || files.kind(of: candidate) != .nothing {
        try Configuration(parsing: Source(name: candidate, bytes: try files.read(candidate)))
      } else {
        Configuration()
      }
    if let namespace { configuration.namespace = namespace }
  }

  /// Uses as many files as there are names.
  mutating func layOut(inFiles names: [String]) throws(Diagnostics) {
    guard configuration.layout != .perType else {
      throw Diagnostics([
        Diagnostic(
          code: "layout",
          message:
            "A file per type is not possible here: build-tool plugins must know the files "
            + "before the schema is read.",
          at: SourcePosition(source: path, line: 1, column: 1),
          suggestion: #"Use { "layout": { "files": 4 } }, or `swift package generate`."#)
      ])
    }
    configuration.layout = .files(1)
    let others = (configuration.expectedFileNames ?? []).count - 1
    guard names.count > others, Set(names).count == names.count, names.allSatisfy(Path.isName)
    else {
      throw Diagnostics([
        Diagnostic(
          code: "layout",
          message: "--file-names requires \(others + 1) or more different file names.")
      ])
    }
    configuration.layout = .files(names.count - others)
  }

  /// The schema's files, relative to the current folder.
  var schemaPaths: [String] {
    let paths = configuration.schema.isEmpty ? [Self.defaultSchema] : configuration.schema
    return paths.map { Path.join(folder, $0) }
  }

  /// The folders whose sources determine what is used, relative to the current folder; nil if
  /// everything is generated.
  var usagePaths: [String]? {
    guard case .usage(let paths) = configuration.pruning else { return nil }
    return paths.map { Path.join(folder, $0) }
  }

  /// The output folder, relative to the current folder.
  var outputPath: String {
    configuration.output.map { Path.join(folder, $0) } ?? Self.defaultOutput
  }
}
