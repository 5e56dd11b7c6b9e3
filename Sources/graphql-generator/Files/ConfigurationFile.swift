import GraphQLCodeGen
import GraphQLSchema

/// `graphql-generator.json`, and where it is, since its paths are relative to it.
struct ConfigurationFile {
  static let name = "graphql-generator.json"
  static let defaultSchema = "schema.json"
  static let defaultOutput = "Generated"

  /// The defaults where there is no file.
  let configuration: Configuration
  private let folder: String

  /// Reads the file that is named, or else one beside the schema, or in the current folder without
  /// a schema, if it exists.
  init(named path: String?, beside schema: String?, files: FileAccess) throws {
    let candidate = path ?? Path.join(schema.map(Path.folder) ?? "", Self.name)
    folder = Path.folder(of: candidate)
    guard path != nil || files.exists(candidate) else {
      configuration = Configuration()
      return
    }
    let source = Source(name: candidate, bytes: try files.read(candidate))
    configuration = try Configuration(parsing: source)
  }

  /// The schema's files as seen from the current folder.
  var schemaPaths: [String] {
    let paths = configuration.schema.isEmpty ? [Self.defaultSchema] : configuration.schema
    return paths.map { Path.join(folder, $0) }
  }

  /// The output folder as seen from the current folder.
  var outputPath: String {
    configuration.output.map { Path.join(folder, $0) } ?? Self.defaultOutput
  }
}
