/// A file of the generated module. Nothing has been written to disk.
public struct GeneratedFile: Sendable, Equatable {
  /// The file's name, without a folder: letters, digits, underscores, hyphens and full stops.
  public let name: String
  /// The file's text as UTF-8, as it is written to disk.
  public let bytes: [UInt8]

  /// The file's text.
  public var contents: String { String(decoding: bytes, as: UTF8.self) }

  /// The first line of every generated file, which distinguishes a stale one from a user's own.
  public static var header: String { Generated.header }
}
