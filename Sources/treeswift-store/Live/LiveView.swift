import GraphQLRuntime
import GraphStore

/// Something that is shown of a file as long as the user wants.
protocol LiveView {
  /// One commit of the file, which is compared with the last one after the read has ended.
  associatedtype Reading

  /// The events of the last reading.
  var events: [LiveEvent] { get }

  /// The view before the first reading of a file.
  var emptied: Self { get }

  func reading(of contents: FileContents) throws(Graph.StoreError) -> Reading

  mutating func update(from reading: Reading)

  /// The view as a terminal shows it, without the newest events.
  var lines: [String] { get }
}
