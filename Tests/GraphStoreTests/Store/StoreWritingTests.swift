import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct StoreWritingTests {
  private struct Stop: Error {}

  @Test(arguments: StoreKind.allCases)
  func writesObjectsAndReturnsAValue(kind: StoreKind) async throws {
    let store = try kind.make()
    let count = try await store.write { storage in
      try storage.write(json: Array(#"[{"id":"1"},{"id":"2"}]"#.utf8), as: Sample.Person.self)
      // It sees its own writes; others do not see them yet.
      #expect(try storage.object(Sample.Person.self, id: "1")?.id == "1")
      #expect(try store.count(of: Sample.Person.self) == 0)
      return try storage.count(of: Sample.Person.self)
    }
    #expect(count == 2)
    #expect(try store.count(of: Sample.Person.self) == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func writesObjectsByTheNameOfTheirType(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write { storage in
      let summary = try storage.write(
        json: Array(#"{"id":"1","name":"Ann"}"#.utf8), typeName: "Person")
      #expect(summary.roots.map(\.description) == ["Person:1"])
    }
    #expect(try store.object(Sample.Person.self, id: "1")?.name == "Ann")
    for name in ["Node", "person", "Nobody"] {
      let error = await #expect(throws: Graph.StoreError.self) {
        try await store.write { storage in
          try storage.write(json: Array(#"{"id":"2"}"#.utf8), typeName: name)
        }
      }
      #expect(error?.code == .notAnEntity)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aThrowingTransactionIsRolledBack(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(json: Array(#"{"id":"1","name":"Ann"}"#.utf8), as: Sample.Person.self)
    await #expect(throws: Stop.self) {
      try await store.write { storage in
        try storage.write(
          json: Array(#"[{"id":"1","name":"Bea"},{"id":"2"}]"#.utf8), as: Sample.Person.self)
        try storage.write(json: Array(#"{"id":"c"}"#.utf8), as: Sample.Club.self)
        try storage.write(
          json: Array(#"{"id":"k","lines":[{"id":"l","quantity":1}]}"#.utf8),
          as: Sample.Checkout.self)
        throw Stop()
      }
    }
    #expect(try store.counts() == ["Person": 1])
    #expect(try store.object(Sample.Person.self, id: "1")?.name == "Ann")
    // The number of a type whose creation was rolled back is used again.
    try await store.write(json: Array(#"{"id":"d"}"#.utf8), as: Sample.Club.self)
    #expect(try store.counts() == ["Person": 1, "Club": 1])
  }

  @Test(arguments: StoreKind.allCases)
  func concurrentTransactionsRunOneAtATime(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(json: Array(#"{"id":"1","age":0}"#.utf8), as: Sample.Person.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await store.write { storage in
            let age = try storage.object(Sample.Person.self, id: "1")?.age ?? 0
            try storage.write(
              json: Array(#"{"id":"1","age":\#(age + 1)}"#.utf8), as: Sample.Person.self)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.object(Sample.Person.self, id: "1")?.age == 100)
  }

  @Test(arguments: StoreKind.allCases)
  func writingAfterATransactionHasEndedThrows(kind: StoreKind) async throws {
    let store = try kind.make()
    final class Thief: @unchecked Sendable { var transaction: Graph.Transaction? }
    let thief = Thief()
    try await store.write { thief.transaction = $0 }
    let error = #expect(throws: Graph.StoreError.self) {
      try thief.transaction?.write(json: Array("{}".utf8), as: Sample.Person.self)
    }
    #expect(error?.code == .transactionEnded)
    #expect(throws: Graph.StoreError.self) { try thief.transaction?.count(of: Sample.Person.self) }
  }

  @Test(arguments: StoreKind.allCases)
  func readingAfterATransactionHasEndedThrows(kind: StoreKind) async throws {
    let store = try kind.make()
    final class Thief: @unchecked Sendable { var transaction: Graph.Transaction? }
    let thief = Thief()
    try await store.write {
      try $0.write(json: Array(#"{"id":"1","name":"a"}"#.utf8), as: Sample.Person.self)
      thief.transaction = $0
    }
    let transaction = try #require(thief.transaction)
    let query = try Sample.buildQuery { $0.person(id: "1") { $0.id() } }.operation()
    let reads: [() throws -> Void] = [
      { _ = try transaction.object(Sample.Person.self, key: "1") },
      { _ = try transaction.object(Sample.Person.self, id: "1") },
      { _ = try transaction.objects(Sample.Person.self, keys: ["1"]) },
      { _ = try transaction.contains(Sample.Person.self, key: "1") },
      { _ = try transaction.count(of: Sample.Person.self) },
      { _ = try (transaction as any Graph.ObjectReading).read(query) },
      { _ = try transaction.fetch(Sample.Person.self).all() },
      { _ = try transaction.fetch(Sample.Person.self).filter(\.name == "a").first() },
      { _ = try transaction.fetch(Sample.Person.self).count() },
    ]
    for (number, read) in reads.enumerated() {
      let error = #expect(throws: Graph.StoreError.self, "\(number)") { try read() }
      #expect(error?.code == .transactionEnded)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsRemainReadableAfterTheirTransaction(kind: StoreKind) async throws {
    let store = try kind.make()
    let person = try await store.write { storage in
      try storage.write(
        json: Array(#"{"id":"1","club":{"id":"c","name":"Rooks"}}"#.utf8), as: Sample.Person.self)
      return try storage.object(Sample.Person.self, id: "1")
    }
    #expect(person?.club?.name == "Rooks")
  }

  @Test(arguments: StoreKind.allCases)
  func aLogoutOfEverythingDeletesAllObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      json: Array(#"{"id":"1","club":{"id":"c","name":"Rooks"}}"#.utf8), as: Sample.Person.self)
    try await store.write(
      json: Array(#"{"id":"k","lines":[{"id":"l","quantity":1}]}"#.utf8), as: Sample.Checkout.self)
    try await store.logout(.everything)
    #expect(try store.counts() == [:])
  }
}
