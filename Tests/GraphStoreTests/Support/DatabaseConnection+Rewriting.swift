import GraphJSON

@testable import GraphStore

extension DatabaseConnection {
  /// Writes records as another version of the store would have written them, with their checksums.
  ///
  /// - Parameter key: of the entity; nil for all.
  func rewriteRecords(of key: String? = nil, _ edit: (String) -> String) throws {
    let rows = try rows("SELECT id, key, record, type FROM entity", []) {
      ($0.integer(0), $0.text(1), $0.text(2), $0.integer(3))
    }
    for (id, rowKey, record, type) in rows where key == nil || key == rowKey {
      var text = edit(record)
      let sum = text.withUTF8 { RecordChecksum.of(UnsafeRawBufferPointer($0), type: type) }
      try execute(
        "UPDATE entity SET record = ?2, sum = ?3 WHERE id = ?1",
        [.integer(id), .text(text), .integer(sum)])
    }
  }
}
