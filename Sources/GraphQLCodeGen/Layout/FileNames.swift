/// Names of the generated files.
enum FileNames {
  static func main(_ namespace: String) -> String { "\(namespace).swift" }
  static func objects(_ namespace: String, _ number: Int) -> String {
    "\(namespace).Objects\(number).swift"
  }
  static func interfaces(_ namespace: String) -> String { "\(namespace).Interfaces.swift" }
  static func enums(_ namespace: String) -> String { "\(namespace).Enums.swift" }
  static func inputs(_ namespace: String) -> String { "\(namespace).Inputs.swift" }

  /// A file name per type, in the order of the types. No two are equal on a file system that
  /// ignores case, and none exceeds the length limit of file systems.
  static func perType(_ namespace: String, types: [String]) -> [String] {
    // No name of a type contains a hyphen, so a numbered name cannot be another type's.
    var counts: [String: Int] = [:]
    return types.map { type in
      let stem = String(type.prefix(longestStem))
      let count = counts[stem.lowercased(), default: 0] + 1
      counts[stem.lowercased()] = count
      return "\(namespace).\(stem)\(count == 1 ? "" : "-\(count)").swift"
    }
  }

  private static let longestStem = 120
}

extension Configuration {
  /// The names of the files that are generated with this configuration, for any schema: a
  /// build-tool plugin declares them before the generator runs. nil for a file per type, where the
  /// names depend on the schema.
  public var expectedFileNames: [String]? {
    guard case .files(let count) = layout else { return nil }
    return [FileNames.main(namespace)]
      + (1...max(count, 1)).map { FileNames.objects(namespace, $0) }
      + [
        FileNames.interfaces(namespace), FileNames.enums(namespace), FileNames.inputs(namespace),
      ]
  }
}
