import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(2))) struct CoherentStorageTests {
  private func storage(_ server: ValkeyServer) async throws -> Graph.CoherentStorage {
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(try server.client()))
    try await until("changes arrive") { storage.isCoherent }
    return storage
  }

  @Test func repeatedReadsUseTheMemory() async throws {
    let server = try await ValkeyServer()
    let observer = try server.client()
    let storage = try await storage(server)
    try await storage.store(response("1"), for: key("a"))
    // The message about this store may arrive after the first read.
    try await until("it is in memory") {
      let before = try await observer.lookupCount()
      _ = try await storage.response(for: key("a"))
      return try await observer.lookupCount() == before
    }
    let before = try await observer.lookupCount()
    for _ in 0..<100 { #expect(try await storage.response(for: key("a"))?.bytes == [49]) }
    #expect(try await observer.lookupCount() == before)
  }

  @Test func changesOfOtherProcessesArrive() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await storage(server), try await storage(server))
    for number in 0..<20 {
      let new = response("\(number)")
      try await one.store(new, for: key("a"))
      try await until("the other has it") {
        try await two.response(for: key("a"))?.bytes == new.bytes
      }
    }
    try await one.remove(key("a"))
    try await until("the other has removed it") { try await two.response(for: key("a")) == nil }
    try await one.store(response("1"), for: key("a"))
    try await until("the other has it") { try await two.response(for: key("a")) != nil }
    try await one.removeAll()
    try await until("the other has removed everything") {
      try await two.response(for: key("a")) == nil
    }
  }

  /// A scope is removed in the memory of all processes; others stay.
  @Test func removalOfAScopeArrives() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let plain = Graph.ValkeyStorage(valkey)
    let storage = try await storage(server)
    for scope in ["x", "y"] { try await plain.store(response("1"), for: key("a", scope: scope)) }
    for scope in ["x", "y"] {
      #expect(try await storage.response(for: key("a", scope: scope)) != nil)
    }
    try await plain.removeAll(ofScope: "x")
    try await until("it is removed") {
      try await storage.response(for: key("a", scope: "x")) == nil
    }
    #expect(try await storage.response(for: key("a", scope: "y")) != nil)
  }

  @Test func lostConnectionEmptiesTheMemory() async throws {
    let server = try await ValkeyServer()
    let storage = try await storage(server)
    try await storage.store(response("1"), for: key("a"))
    try await until("it is read") { try await storage.response(for: key("a")) != nil }
    let folder = server.folder
    server.kill9()
    try await until("the loss is noticed") { !storage.isCoherent }
    #expect((try? await storage.response(for: key("a"))) == nil)
    let second = try await ValkeyServer(in: folder)
    try await until("changes arrive again") { storage.isCoherent }
    try await until("the server has nothing") {
      (try? await storage.valkeyStorage.valkey.run("DBSIZE")) == .integer(0)
    }
    #expect(try await storage.response(for: key("a")) == nil)
    withExtendedLifetime(second) {}
  }

  /// As in a partition: the connection is open, but nothing arrives.
  @Test func silentServerEmptiesTheMemory() async throws {
    let server = try await ValkeyServer()
    let storage = try await storage(server)
    server.signal(SIGSTOP)
    try await until("the silence is noticed", within: .seconds(10)) { !storage.isCoherent }
    server.signal(SIGCONT)
    try await until("changes arrive again") { storage.isCoherent }
  }

  @Test func memoryKeepsOnlyWhatHasNotChangedDuringTheRead() {
    let found = Graph.ValkeyStorage.Found(
      response: response("1"), remaining: .seconds(10), dependencies: ["r", "g"])
    for (changed, isKept) in [(["other"], true), (["r"], false), (["other", "g"], false)] {
      var memory = CoherentMemory(capacity: 10_000)
      let read = memory.beginRead()
      for name in changed { memory.change(name) }
      memory.endRead(read, found, for: key("a"), at: 0)
      #expect((memory.response(for: key("a"), at: 1) != nil) == isKept)
    }
    var memory = CoherentMemory(capacity: 3000)
    let read = memory.beginRead()
    memory.removeAll()
    memory.endRead(read, found, for: key("a"), at: 0)
    #expect(memory.response(for: key("a"), at: 1) == nil)
    for name in ["a", "b", "c"] { memory.endRead(memory.beginRead(), found, for: key(name), at: 0) }
    #expect(memory.response(for: key("a"), at: 1) == nil)
    #expect(memory.response(for: key("c"), at: 1) != nil)
    #expect(memory.response(for: key("c"), at: Duration.seconds(11).nanoseconds) == nil)
    memory.change("g")
    #expect(memory.response(for: key("b"), at: 1) == nil)
  }
}
