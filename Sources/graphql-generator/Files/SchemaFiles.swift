import GraphQLSchema

/// The files of one schema.
struct SchemaFiles {
  private let sources: [Source]

  /// Reads the files without parsing them.
  init(paths: [String], files: FileAccess) throws(FileError) {
    var sources: [Source] = []
    for path in paths { sources.append(Source(name: path, bytes: try files.read(path))) }
    self.sources = sources
  }

  var byteCount: Int { sources.reduce(0) { $0 + $1.count } }

  /// Parses and validates.
  ///
  /// - Throws: everything that is wrong with the schema.
  func schema() throws(Diagnostics) -> Schema { try Schema.read(sources) }
}
