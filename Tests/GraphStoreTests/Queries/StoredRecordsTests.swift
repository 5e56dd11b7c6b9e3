import Dispatch
import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Objects that keep the bytes of their records, which are parsed when a field is first read.
@Suite struct StoredRecordsTests {
  private let folder: TemporaryFolder
  private let store: Graph.Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Graph.Store(schema: Sample.schema, file: folder.file())
  }

  /// Persons whose records fill several buffers.
  private func fill(_ count: Int) async throws {
    let persons = (0..<count).map {
      #"{"id":"\#($0)","name":"\#(name($0))","age":\#($0),"club":{"id":"c","name":"Club"}}"#
    }
    try await store.write(
      json: Array("[\(persons.joined(separator: ","))]".utf8), as: Sample.Person.self)
  }

  private func name(_ person: Int) -> String {
    "Person \(person) " + String(repeating: "ü", count: person)
  }

  @Test func aPageIsReadInItsOrder() async throws {
    try await fill(400)
    let all = try store.fetch(Sample.Person.self).all()
    #expect(all.map(\.id.rawValue) == (0..<400).map(String.init))
    #expect(all.map(\.name) == (0..<400).map(name))
    let page = try store.fetch(Sample.Person.self).offset(390).limit(50).all()
    #expect(page.map(\.age) == (390..<400).map { $0 })
    #expect(try store.fetch(Sample.Person.self).limit(0).all().isEmpty)
    #expect(try store.fetch(Sample.Person.self).limit(1).all().map(\.club?.name) == ["Club"])
  }

  @Test func laterWritesDoNotChangeReadObjects() async throws {
    try await fill(2)
    let before = try store.fetch(Sample.Person.self).all()
    let one = try #require(try store.object(Sample.Person.self, key: "1"))
    try await store.write(json: Array(#"{"id":"1","name":"Bea"}"#.utf8), as: Sample.Person.self)
    #expect(before[1].name == name(1) && one.name == name(1))
    #expect(try store.object(Sample.Person.self, key: "1")?.name == "Bea")
  }

  @Test func threadsMayReadTheFirstFieldTogether() async throws {
    try await fill(100)
    let page = try store.fetch(Sample.Person.self).all()
    let wrong = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 64) { turn in
      let person = page[turn]
      if person.name != name(turn) || person.age != turn { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test func pagesOmitDamagedRecords() async throws {
    try await fill(3)
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce(
      "UPDATE entity SET record = replace(record, '1', '7') WHERE key = '1'")
    #expect(try store.fetch(Sample.Person.self).all().map(\.id) == ["0", "2"])
    #expect(try store.fetch(Sample.Person.self).filter(\.age > 0).all().map(\.id) == ["2"])
    #expect(try store.object(Sample.Person.self, key: "1") == nil)
    #expect(try store.contains(Sample.Person.self, key: "1") == false)
    #expect(try Graph.StoreInspector(file: folder.file()).problems().count == 1)
  }

  @Test func readingAFieldThatIsNotStoredThrows() async throws {
    try await fill(3)
    let page = try store.fetch(Sample.Person.self).all()
    let missing = #expect(throws: GraphQL.MissingField.self) { try page[2].read(\.score) }
    #expect(missing?.path.isEmpty == true)
    #expect(page[1].debugDescription.contains(#""id":"1""#))
    #expect(page[1].field("age") as? Int == 1)
  }

  /// The checksum shows that the store has written a record, so this requires a forged one.
  @Test func invalidRecordTextHasNoFields() throws {
    for text in ["{oops", #"{"name":"a"}},{"name":"b""#, "[]", #"{"name":"a"},{"name":"b"}"#] {
      var records = GraphQL.StoredRecords()
      Array(text.utf8).withUnsafeBytes { records.append($0) }
      let person = try #require(
        records.object(of: Sample.Person.self, links: store._reader.reading.links))
      #expect(!person.has(\.name))
    }
  }
}
