import GraphQLCodeGen

/// The Swift sources that use a generated module.
struct UsageSources {
  private let paths: [String]
  private let files: FileAccess

  /// Finds the sources below the folders, except in hidden folders and generated files.
  ///
  /// - Parameter documentsOnly: whether a folder may have documents and no sources.
  init(
    folders: [String], documentsOnly: Bool = false, files: FileAccess
  ) throws(FileError) {
    self.files = files
    var paths: [String] = []
    for folder in folders {
      let found = try Self.sources(below: folder, files)
      if found.isEmpty {
        let documents = documentsOnly ? try files.files(below: folder, ending: ".graphql") : []
        if documents.isEmpty { throw .holdsNoSources(path: folder) }
      }
      paths += found
    }
    self.paths = paths
  }

  /// All words of the sources.
  func identifiers() throws(FileError) -> SwiftIdentifiers {
    var identifiers = SwiftIdentifiers()
    for path in paths { identifiers.collect(from: try files.read(path)) }
    return identifiers
  }

  /// Visits the contents of each source, in the order of the paths.
  func forEach<Failure: Error>(
    _ visit: (_ path: String, _ contents: [UInt8]) throws(Failure) -> Void
  ) throws {
    for path in Set(paths).sorted() { try visit(path, try files.read(path)) }
  }

  private static func sources(
    below folder: String, _ files: FileAccess
  ) throws(FileError) -> [String] {
    guard files.kind(of: folder) == .folder else { throw .missingFolder(path: folder) }
    return try files.files(below: folder, ending: ".swift").filter {
      !files.file($0, beginsWith: GeneratedFile.header)
    }
  }
}
