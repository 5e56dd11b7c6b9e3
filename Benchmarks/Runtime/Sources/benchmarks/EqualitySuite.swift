import Foundation
import GraphQLRuntime
import StorefrontAPI

/// Equality and hashes of two results of the same query, compared with those of structs with synthesised conformances.
enum EqualitySuite {
  static func suite(byteCount: Int) throws -> Suite {
    let listing = try Listing(byteCount: byteCount)
    let typed = try ListingQuery(first: 250).operation()
    // The first response is read in another way than those after it, since the types in it are not known yet.
    _ = try typed.response(from: listing.bytes)
    func results<Result>(_ result: () throws -> Result?) throws -> (Result, Result) {
      guard let first = try result(), let second = try result() else { throw NoData() }
      return (first, second)
    }
    let structs = try results {
      try JSONDecoder().decode(Peer.Envelope.self, from: Data(listing.bytes)).data
    }
    let classes = try results { try listing.operation.response(from: listing.bytes).data }
    let records = try results { try typed.response(from: listing.bytes).data }
    return Suite(
      name: "Equality of two results of 1 MB", unit: .time,
      rows: rows("Treeswift", classes) + rows("Treeswift, typed operation", records)
        + rows("structs", structs, isReference: true))
  }

  struct NoData: Error {}

  private static func rows<Result: Hashable>(
    _ name: String, _ results: (Result, Result), isReference: Bool = false
  ) -> [Suite.Row] {
    [
      Suite.Row(name: "\(name): equality", isReference: isReference) {
        try secondsPerCall(repeating: 20) {
          if results.0 != results.1 { throw Differ() }
        }
      },
      Suite.Row(name: "\(name): hash") {
        secondsPerCall(repeating: 20) { use(results.0.hashValue) }
      },
    ]
  }

  struct Differ: Error {}
}
