import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Records that another version of the program wrote with another version of the schema.
@Suite struct SchemaChangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with a file in which a field of a person has another type, and two fields are not in
  /// the schema any more.
  private func store() async throws -> Graph.Store {
    let store = try Graph.Store(schema: Sample.schema, file: folder.file())
    try await store.write(
      json: Array(#"{"id":"1","name":"Ann","age":7,"club":{"id":"c","name":"C"}}"#.utf8),
      as: Sample.Person.self)
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.rewriteRecords {
      $0.replacing(#""age":7"#, with: #""age":"seven","title":"Dr","home":{"&":"House:1"}"#)
    }
    return try Graph.Store(schema: Sample.schema, file: folder.file())
  }

  @Test func ignoresRemovedFieldsAndOmitsFieldsWithAnotherType() async throws {
    let store = try await store()
    let ann = try #require(try store.object(Sample.Person.self, id: "1"))
    #expect(ann.name == "Ann" && ann.club?.name == "C")
    #expect(!ann.has(\.age))
    #expect(throws: GraphQL.MissingField.self) { try ann.read(\.age) }
    let query = Sample.buildQuery { $0.person(id: "1") { $0.id().name().age() } }
    try await store.write(
      Sample.buildQuery { $0.person(id: "1") { $0.id() } }, #"{"person":{"id":"1"}}"#)
    #expect(try store.read(query).missingText == ["person.age"])
    #expect(try store.fetch(Sample.Person.self).filter(\.age > 1).count() == 0)
    #expect(
      try store.json(of: Sample.Person.self, key: "1")?["name"] == "Ann")
  }

  @Test func writesKeepUnknownFieldsOfAnotherVersion() async throws {
    let store = try await store()
    try await store.write(
      json: Array(#"{"id":"1","name":"Bea","score":1.5}"#.utf8), as: Sample.Person.self)
    try await store.write { try $0.delete(Sample.Club.self, key: "c") }
    #expect(
      try store.text("Person:1")
        == #"{"__typename":"Person","id":"1","name":"Bea","age":"seven","title":"Dr","home":{"&":"House:1"},"club":null,"score":1.5}"#
    )
    try await store.write(json: Array(#"{"id":"1","age":8}"#.utf8), as: Sample.Person.self)
    #expect(try store.object(Sample.Person.self, id: "1")?.age == 8)
    #expect(try store.text("Person:1")?.contains(#""title":"Dr""#) == true)
  }
}
