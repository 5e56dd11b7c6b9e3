import Foundation
import GraphQLRuntime
import GraphStore
import TestSupport

/// Changes bits of a store's file and its log, or truncates them, and checks whether the store
/// recovers.
///
/// However the file is damaged: nothing crashes, every value is the one that was stored, data that
/// cannot be read is reported, and after that the store works again, with the damaged file moved
/// aside.
struct Damage {
  /// The outcomes for the damaged files.
  private struct Counts {
    var sound = 0
    /// Objects were missing and could be fetched again.
    var incomplete = 0
    var movedAside = 0
    var reported = 0
    var refused = 0
  }

  private let parent: URL
  private var folder: URL
  private var random: SeededGenerator
  private var counts = Counts()
  private var lastError: Graph.StoreError?
  private var file: URL { folder.appending(path: "damaged.store") }

  init(folder: URL, seed: UInt64) {
    parent = folder
    self.folder = folder
    random = SeededGenerator(seed: seed)
  }

  /// - Returns: the process's exit status.
  mutating func run(_ rounds: Int) async throws -> Int32 {
    let originals = [try await original(hasLog: false), try await original(hasLog: true)]
    for round in 0..<rounds {
      try spoil(originals[round % 2])
      lastError = nil
      guard try await survives() else {
        let error =
          lastError.map { "\($0)" } ?? "a value is wrong, or what was written is not there"
        print("round \(round): the store no longer works: \(error)")
        return 1
      }
    }
    print(
      "ok \(rounds) damaged files: \(counts.sound) read without a problem,",
      "\(counts.incomplete) with objects missing, \(counts.reported) reported,",
      "\(counts.movedAside) moved aside, \(counts.refused) left alone as another program's")
    return 0
  }

  /// The bytes of a file with some hundred objects, and of its log.
  private mutating func original(hasLog: Bool) async throws -> (file: Data, log: Data?) {
    try clear()
    let path = file.path
    let store = try Graph.Store(schema: Sample.schema, file: file)
    for person in 0..<120 {
      let json = """
        {"id":"\(person)","name":"\(name(person))","club":{"id":"c\(person % 7)","name":"Club"}}
        """
      try await store.write(json: Array(json.utf8), as: Sample.Person.self)
    }
    // Logging out empties the log.
    if !hasLog { try await store.logout() }
    let log = hasLog ? try Data(contentsOf: URL(filePath: path + "-wal")) : nil
    return (try Data(contentsOf: file), log)
  }

  private mutating func spoil(_ original: (file: Data, log: Data?)) throws {
    try clear()
    var bytes = original.file
    var log = original.log
    if let known = log, number(below: 3) != 0 {
      log = spoiled(known)
    } else {
      bytes = spoiled(bytes)
    }
    try bytes.write(to: file)
    try log?.write(to: URL(filePath: file.path + "-wal"))
  }

  private mutating func number(below bound: Int) -> Int {
    Int(random.next() % UInt64(max(bound, 1)))
  }

  private mutating func spoiled(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    if number(below: 4) == 0 { return Data(bytes.prefix(number(below: bytes.count))) }
    for _ in 0...number(below: 16) {
      // The first page describes the kind of file, so a share of the damage is in it.
      let position = number(below: 4) == 0 ? number(below: 4096) : number(below: bytes.count)
      bytes[min(position, bytes.count - 1)] ^= 1 << UInt8(number(below: 8))
    }
    return Data(bytes)
  }

  /// Opens, reads and writes. A file that is reported as damaged must work when it is opened again.
  private mutating func survives() async throws -> Bool {
    var wasReported = false
    for _ in 0..<3 {
      do {
        let store = try Graph.Store(schema: Sample.schema, file: file)
        if store.recovery != nil { counts.movedAside += 1 }
        guard let whole = try readAll(store) else { return false }
        try await store.write(
          json: Array(#"{"id":"new","name":"After"}"#.utf8), as: Sample.Person.self)
        guard try store.object(Sample.Person.self, key: "new")?.name == "After" else {
          return false
        }
        if store.recovery == nil, !wasReported {
          if whole { counts.sound += 1 } else { counts.incomplete += 1 }
        }
        return true
      } catch let error as Graph.StoreError {
        if [.foreignFile, .newerFormat].contains(error.code) {
          // A mark in the first page was changed. The file now belongs to another program, and is
          // left unchanged.
          counts.refused += 1
          return FileManager.default.fileExists(atPath: file.path)
        }
        lastError = error
        if !wasReported { counts.reported += 1 }
        wasReported = true
      }
    }
    return false
  }

  /// Reads everything; false if something is missing, nil if a value is wrong.
  private func readAll(_ store: Graph.Store) throws -> Bool? {
    _ = try store.counts()
    let persons = try store.fetch(Sample.Person.self).all()
    for person in persons {
      let id = try person.read(\.id).rawValue
      let expected = id == "new" ? "After" : Int(id).map(name)
      guard try person.read(\.name) == expected else { return nil }
      _ = try? person.read(\.club)
    }
    _ = try store.fetch(Sample.Club.self).sorted(by: \.name).all()
    return persons.count == 120
  }

  /// Uses a new folder: the last store may still be closing its files.
  private mutating func clear() throws {
    try? FileManager.default.removeItem(at: folder)
    folder = parent.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
}
