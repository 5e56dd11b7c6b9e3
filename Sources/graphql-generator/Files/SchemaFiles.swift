import GraphQLSchema

/// The files of one schema: SDL in any number of files, or one introspection result.
struct SchemaFiles {
  private enum Kind {
    case sdl, introspection
  }

  let sources: [Source]
  private let kind: Kind

  /// Reads the files and tells their kind, without parsing them.
  init(paths: [String], files: FileAccess) throws {
    var sources: [Source] = []
    for path in paths { sources.append(Source(name: path, bytes: try files.read(path))) }
    self.sources = sources
    kind = try Self.kind(of: sources)
  }

  var byteCount: Int { sources.reduce(0) { $0 + $1.count } }

  /// Parses and validates.
  ///
  /// - Throws: everything that is wrong with the schema.
  func schema() throws(Diagnostics) -> Schema {
    switch kind {
    case .sdl: try Schema(sources: sources)
    case .introspection: try Schema(introspection: sources[0])
    }
  }

  private static func kind(of sources: [Source]) throws(Diagnostics) -> Kind {
    var problems: [Diagnostic] = []
    var kinds: [Kind] = []
    for source in sources {
      do { kinds.append(try kind(of: source)) } catch { problems.append(error) }
    }
    if let index = kinds.firstIndex(of: .introspection), sources.count > 1, problems.isEmpty {
      problems.append(
        Diagnostic(
          code: "mixedSchema",
          message: "\(sources[index].name): An introspection result is a whole schema, it cannot be "
            + "combined with other files.",
          suggestion: "Give either one introspection result or any number of SDL files."))
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
    return kinds.first ?? .sdl
  }

  /// By the file's name; by its first character if the name says nothing.
  private static func kind(of source: Source) throws(Diagnostic) -> Kind {
    let start = source.bytes.firstIndex { !isSpace($0) }
    guard let start else {
      throw Diagnostic(
        code: "emptySchema", message: "The file is empty.",
        at: source.location(from: 0, to: 0))
    }
    if source.bytes[start] == UInt8(ascii: "<") {
      throw Diagnostic(
        code: "notASchema", message: "This is HTML or XML, not a schema.",
        at: source.location(from: start, to: start + 1),
        suggestion: "It may be a server's error or sign-in page.")
    }
    let name = source.name.lowercased()
    if name.hasSuffix(".json") { return .introspection }
    if [".graphqls", ".graphql", ".gql"].contains(where: name.hasSuffix) { return .sdl }
    return source.bytes[start] == UInt8(ascii: "{") ? .introspection : .sdl
  }

  /// White space, and the bytes of a byte order mark.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte <= 0x20 && byte != 0 || [0xEF, 0xBB, 0xBF].contains(byte)
  }
}
