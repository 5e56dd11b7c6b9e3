import GraphJSON
import GraphQLSchema

extension Configuration {
  /// The position of a folder under `pruning`, `usage`; nil if there is none. The text is parsed
  /// again, since only an error needs the position.
  package static func position(ofUsageFolder index: Int, in source: Source) -> SourcePosition? {
    guard let document = try? JSONDocument(parsing: source.bytesOfJSON) else { return nil }
    let pruning = document.root.members?.last { $0.key == "pruning" }?.value
    let usage = pruning?.members?.last { $0.key == "usage" }?.value
    guard let folders = usage?.array, folders.indices.contains(index) else { return nil }
    return ConfigurationReader(source: source).position(of: folders[index])
  }
}
