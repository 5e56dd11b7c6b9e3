/// The contents of a `*.graphql` file, determined by its first definition. The plugins have this source
/// file too.
///
/// The rest of the file is read later; a file with definitions of both kinds is an error.
enum DocumentKind {
  case schema
  /// Operations and fragments.
  case document
  /// There is no definition yet, or the first word is not one of GraphQL's keywords.
  case undecided

  /// Finds the first keyword outside of comments, strings and brackets.
  init(of bytes: [UInt8]) {
    var scanner = Scanner(bytes: bytes)
    self = scanner.kind()
  }

  /// Whether a file is taken for a document. A new, empty file is one, unless its name is that of a
  /// schema.
  func isDocument(named name: String) -> Bool {
    switch self {
    case .schema: false
    case .document: true
    case .undecided: name != "schema.graphql"
    }
  }

  /// Whether a schema also has an operation or fragment.
  static func hasOperations(_ bytes: [UInt8]) -> Bool {
    var scanner = Scanner(bytes: bytes)
    return scanner.hasOperations()
  }

  /// The words and marks before a name that may be a keyword.
  fileprivate static let beforeNames: Set<String> = [
    "type", "scalar", "interface", "union", "enum", "input", "implements", "on", "&", "|", "=",
    "@",
  ]

  fileprivate static let keywords: [String: DocumentKind] = [
    "query": .document, "mutation": .document, "subscription": .document, "fragment": .document,
    "schema": .schema, "scalar": .schema, "type": .schema, "interface": .schema, "union": .schema,
    "enum": .schema, "input": .schema, "directive": .schema, "extend": .schema,
  ]
}

private struct Scanner {
  let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func kind() -> DocumentKind {
    var isFirst = true
    while let token = token() {
      if isFirst, token.text.first == UInt8(ascii: "{") {
        // A query without a name, or an introspection result.
        let next = bytes[position...].first { $0 > 0x20 }
        return next == UInt8(ascii: "\"") ? .schema : .document
      }
      guard token.text.first.map(Self.isWord) == true else { continue }
      isFirst = false
      if token.depth == 0,
        let kind = DocumentKind.keywords[String(decoding: token.text, as: UTF8.self)]
      {
        return kind
      }
    }
    return .undecided
  }

  mutating func hasOperations() -> Bool {
    var previous = ""
    while let token = token() {
      guard token.depth == 0 else { continue }
      let text = String(decoding: token.text, as: UTF8.self)
      if DocumentKind.keywords[text] == .document, !DocumentKind.beforeNames.contains(previous) {
        return true
      }
      previous = text
    }
    return false
  }

  /// The next word or mark outside of comments and strings, and the number of brackets around it.
  private mutating func token() -> (text: ArraySlice<UInt8>, depth: Int)? {
    while let byte = byte() {
      let start = position
      switch byte {
      case UInt8(ascii: "#"):
        while let byte = self.byte(), byte != 0x0A, byte != 0x0D { position += 1 }
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
        position += 1
        depth += 1
        return (bytes[start..<position], depth - 1)
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
        position += 1
        depth = max(0, depth - 1)
        return (bytes[start..<position], depth)
      case let byte where Self.isWord(byte):
        while let byte = self.byte(), Self.isWord(byte) { position += 1 }
        return (bytes[start..<position], depth)
      case 0...0x20: position += 1
      default:
        position += 1
        return (bytes[start..<position], depth)
      }
    }
    return nil
  }

  private func byte(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  /// Skips a string or block string; a string that is not closed ends with its line.
  private mutating func skipString() {
    let quote = UInt8(ascii: "\"")
    let isBlock = byte(1) == quote && byte(2) == quote
    position += isBlock ? 3 : 1
    while let byte = byte() {
      switch byte {
      case UInt8(ascii: "\\"): position += isBlock && self.byte(1) != quote ? 1 : 2
      case quote where !isBlock:
        position += 1
        return
      case quote where self.byte(1) == quote && self.byte(2) == quote:
        position += 3
        return
      case 0x0A, 0x0D:
        if !isBlock { return }
        position += 1
      default: position += 1
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte == UInt8(ascii: "_")
  }
}

/// The files in a folder and in those within it, except hidden ones. The build-tool plugin has this source
/// file too, so that the tool finds what the plugin has planned.
struct FolderSearch {
  /// The files with the extension, by path.
  private(set) var files: [String] = []
  /// The folder itself, and those within it.
  private(set) var folders: [String] = []

  /// - Parameters:
  ///   - ending: the extension with its full stop.
  ///   - names: the names in a folder.
  ///   - isFolder: nil if there is neither a file nor a folder.
  ///   - resolved: the path without symbolic links.
  init<Failure: Error>(
    in folder: String, ending: String, names: (String) throws(Failure) -> [String],
    isFolder: (String) -> Bool?, resolved: (String) -> String
  ) throws(Failure) {
    // A link may lead to a folder around it.
    var known: Set = [resolved(folder)]
    var pending = [folder]
    while let folder = pending.popLast() {
      folders.append(folder)
      for name in try names(folder).sorted() where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        switch isFolder(path) {
        case true?: if known.insert(resolved(path)).inserted { pending.append(path) }
        case false? where name.hasSuffix(ending): files.append(path)
        default: break
        }
      }
    }
    files.sort()
  }
}
