/// A file of the generated module. Nothing has been written to disk.
public struct GeneratedFile: Sendable, Equatable {
  /// The file's name, without a folder: letters, digits, underscores, hyphens and full stops.
  public let name: String
  /// The file's text.
  public let contents: String

  /// The first line of every generated file, by which a stale one can be told from a user's own.
  public static var header: String { Generated.header }
}
