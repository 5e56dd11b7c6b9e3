import GraphJSON
import GraphQLSchema

extension Configuration {
  /// The position of a path in a list, or of the only one; nil if there is none. The text is parsed again, since
  /// only an error needs the position.
  ///
  /// - Parameter keys: those of the list, such as `pruning`, `usage`.
  package static func position(
    ofPath index: Int, in keys: [String], of source: Source
  ) -> SourcePosition? {
    guard let document = try? JSONDocument(parsing: source.bytesOfJSON) else { return nil }
    var node: JSONNode? = document.root
    for key in keys { node = node?.members?.first { $0.key == key }?.value }
    guard let node else { return nil }
    let paths = node.array ?? [node]
    guard paths.indices.contains(index) else { return nil }
    return ConfigurationReader(source: source).position(of: paths[index])
  }

  /// The position of the value of a key; nil if the text does not have the key.
  package static func position(ofKey key: String, of source: Source) -> SourcePosition? {
    guard let document = try? JSONDocument(parsing: source.bytesOfJSON),
      let value = document.root.members?.first(where: { $0.key == key })?.value
    else { return nil }
    return ConfigurationReader(source: source).position(of: value)
  }
}
