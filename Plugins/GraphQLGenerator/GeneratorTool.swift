/// The program that both plugins run.
enum GeneratorTool {
  static let name = "graphql-generator"

  /// The version of this package. A tool from an artifact bundle may be of another one, which may
  /// not know the options that the plugins pass, or generate code for another version of
  /// GraphQLRuntime. So the tool compares this text with its own version first.
  static let version = "0.1.0"

  /// The arguments for a subcommand of the tool.
  static func arguments(_ subcommand: String, _ arguments: [String]) -> [String] {
    ["--plugin-version=\(version)", subcommand] + arguments
  }
}
