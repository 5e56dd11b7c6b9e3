#if !ONE_MODULE
  import GraphQLCodeGen
#endif

/// The words of Swift sources, which are read when they are first needed.
final class NamedTypes {
  private let folders: [String]
  private let files: FileAccess
  private var identifiers: SwiftIdentifiers?

  init(folders: [String], files: FileAccess) {
    self.folders = folders
    self.files = files
  }

  /// Whether the sources name a type. Folders that cannot be read have no sources.
  func contains(_ name: String) -> Bool {
    if folders.isEmpty { return false }
    let identifiers =
      identifiers ?? (try? UsageSources(folders: folders, files: files).identifiers())
      ?? SwiftIdentifiers()
    self.identifiers = identifiers
    return identifiers.contains(name)
  }
}
