import Foundation
import GraphQLRuntime
import GraphStore
import TestSupport

/// Several stores of one process that write to one file concurrently, for `matrix.py`.
struct Sharing {
  let file: URL
  let first: Int
  let count: Int
  let openings: Int
  let seed: UInt64
  /// Whether stores are closed and opened again between the writes.
  let closes: Bool
  /// Whether another process damages the file or moves it away meanwhile.
  let isAttacked: Bool

  /// Writes persons `first` to `first + count - 1`. After each write was acknowledged, it prints
  /// the number and the time at which the write began.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for opening in 0..<openings { group.addTask { try await write(opening) } }
      try await group.waitForAll()
    }
  }

  private func write(_ opening: Int) async throws {
    var random = SeededGenerator(seed: seed &+ UInt64(opening))
    var store: Graph.Store? = try Graph.Store(schema: Sample.schema, file: file)
    for person in stride(from: first + opening, to: first + count, by: openings) {
      if closes, random.next() % 100 == 0 {
        store = nil
        store = try Graph.Store(schema: Sample.schema, file: file)
      }
      var attempts = 0
      var start: UInt64
      while true {
        start = DispatchTime.now().uptimeNanoseconds
        do {
          if store == nil { store = try Graph.Store(schema: Sample.schema, file: file) }
          try await write(person, to: store, isShort: random.next() % 4 != 0)
          break
        } catch let error as Graph.StoreError
          where isAttacked && attempts < 1000 && error.code.description != "busy"
        {
          attempts += 1
          store = nil
        }
      }
      // One call of write(2), so that a killed process leaves whole lines.
      let line = "\(person) \(start)\n"
      try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
      if !isAttacked, person % 50 == 0 { try check(person, store) }
    }
  }

  private func write(_ person: Int, to store: Graph.Store?, isShort: Bool) async throws {
    let json = Array(
      """
      {"id":"\(person)","name":"\(name(person))",\
      "club":{"id":"c\(person % 7)","name":"Club \(person % 7)"}}
      """.utf8)
    if isShort {
      try await store?.write(json: json, as: Sample.Person.self)
    } else {
      try await store?.write { try $0.write(json: json, as: Sample.Person.self) }
    }
  }

  /// Acknowledged writes are visible in this store and in a new one.
  private func check(_ person: Int, _ store: Graph.Store?) throws {
    let other = try Graph.Store(schema: Sample.schema, file: file)
    for store in [store, other].compactMap({ $0 }) {
      guard try store.object(Sample.Person.self, key: "\(person)")?.name == name(person) else {
        print("lost: \(person)")
        exit(1)
      }
    }
  }
}

/// Opens a file three times, reads it and closes it.
func visit(_ file: URL) throws {
  let stores = try (0..<3).map { _ in try Graph.Store(schema: Sample.schema, file: file) }
  for store in stores {
    _ = try? store.counts()
    _ = try? store.object(Sample.Person.self, key: "1")
  }
}
