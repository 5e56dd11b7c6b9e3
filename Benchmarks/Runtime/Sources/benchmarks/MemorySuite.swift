import GraphJSON

/// The memory of a response.
enum MemorySuite {
  static func suite(byteCount: Int) throws -> Suite {
    let bytes = try Listing(byteCount: byteCount).bytes
    return Suite(
      name: "Memory of a response of 10 MB", unit: .bytesPerByte,
      rows: [
        Suite.Row(name: "the bytes alone", isReference: true) { 1 },
        Suite.Row(name: "Treeswift: text and tape") {
          Double(try JSONDocument(parsing: bytes).memoryFootprint) / Double(bytes.count)
        },
      ])
  }
}
