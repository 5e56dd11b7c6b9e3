import GraphJSON
import GraphQLRuntime

/// The memory of a response.
enum MemorySuite {
  static func suite(byteCount: Int) throws -> Suite {
    let bytes = try Listing(byteCount: byteCount).bytes
    let typed = try ListingQuery(first: 250).operation()
    // The types of the response are known after the first one.
    _ = try typed.response(from: bytes)
    return Suite(
      name: "Memory of a response of 10 MB", unit: .bytesPerByte,
      rows: [
        Suite.Row(name: "the bytes alone", isReference: true) { 1 },
        Suite.Row(name: "Treeswift: text and tape") {
          Double(try JSONDocument(parsing: bytes).memoryFootprint) / Double(bytes.count)
        },
        Suite.Row(name: "Treeswift, typed operation: text and records") {
          let data = try typed.response(from: bytes).data
          return Double(data?._memoryFootprint ?? 0) / Double(bytes.count)
        },
      ])
  }
}
