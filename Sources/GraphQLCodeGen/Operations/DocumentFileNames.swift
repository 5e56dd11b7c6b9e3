/// The names of the files that are generated from documents. The build-tool plugin has this source file
/// too, since it declares them before the generator runs.
enum DocumentFileNames {
  /// A name for each document: `Cart.graphql.swift` for `Shop/Cart.graphql`. If another document before
  /// it has the same name (regardless of case) in another folder, it is `Cart-2.graphql.swift`.
  static func names(for paths: [String]) -> [String] {
    var taken: Set<String> = []
    return paths.map { path in
      // Bytes are compared: both separators are ASCII, and to find characters takes longer.
      let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
      let hasExtension = name.suffix(8).elementsEqual(".graphql".utf8)
      let stem = Substring(hasExtension ? name.dropLast(8) : name)
      var result = "\(stem).graphql.swift"
      var number = 2
      // A document may be called `Cart-2` itself.
      while !taken.insert(result.lowercased()).inserted {
        result = "\(stem)-\(number).graphql.swift"
        number += 1
      }
      return result
    }
  }

  /// The file with the enum around operations and fragments.
  static func name(forNamespace namespace: String) -> String { "\(namespace).operations.swift" }
}
