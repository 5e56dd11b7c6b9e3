import Foundation
import GraphQLRuntime
import GraphStore

// Renames in a file that is opened by processes which are killed. The values of an enum are renamed
// back and forth, so that each opening rewrites all clubs.

/// Writes clubs.
func fill(_ file: URL, clubs: Int) async throws {
  let store = try Graph.Store(schema: Sample.schema, file: file)
  let list = (0..<clubs).map { #"{"id":"\#($0)","name":"\#(name($0))","kind":"A"}"# }
  try await store.write(
    json: Array("[\(list.joined(separator: ","))]".utf8), as: Sample.Club.self)
}

/// Opens a file with one rename.
func migrate(_ file: URL, from old: String, to new: String) throws {
  var configuration = Graph.Store.Configuration()
  configuration.lockTimeout = .seconds(600)
  configuration.renames = [.enumValue("ClubKind.\(old)", to: "ClubKind.\(new)")]
  print("opening")
  let store = try Graph.Store(schema: Sample.schema, file: file, configuration: configuration)
  print("changed \(store.migrationReport?.changedRows ?? 0)")
}

/// - Returns: the exit status: 0 if all clubs are there and of one kind, which is printed.
func kinds(_ file: URL, clubs: Int) throws -> Int32 {
  let store = try Graph.Store(schema: Sample.schema, file: file)
  let kinds = try Set(store.fetch(Sample.Club.self).all().map { try store.kind(of: $0) })
  let count = try store.count(of: Sample.Club.self)
  print(kinds.sorted().joined(separator: " "))
  return kinds.count == 1 && count == clubs ? 0 : 1
}

extension Graph.Store {
  /// As it is stored: the schema does not have these values.
  fileprivate func kind(of club: Sample.Club) throws -> String {
    let text = try json(of: Sample.Club.self, key: club.id.rawValue).map { "\($0)" } ?? ""
    return ["A", "B"].filter { text.contains(#""kind":"\#($0)""#) }.joined()
  }
}
