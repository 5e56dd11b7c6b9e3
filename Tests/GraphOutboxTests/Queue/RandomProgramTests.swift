import TestSupport
import Testing

@testable import GraphOutbox

/// Random programs of writes, responses and crashes, checked for invariants.
struct RandomProgramTests {
  @Test(arguments: 1...40)
  func randomProgramsLoseRepeatAndReorderNoOperation(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let queue = try await TestQueue()
    var queued: [String: [String]] = [:]
    var unrepeatable: Set<String> = []
    var inTransit: Set<String> = []
    var held: Set<String> = []
    var ended: Set<String> = []
    var count = 0

    func claim() async throws -> Bool {
      guard let id = try await queue.claim() else { return false }
      #expect(!held.contains(id), "\(id) is repeated blindly")
      let ids = try #require(queued.values.first { $0.contains(id) })
      #expect(ids.prefix { $0 != id }.allSatisfy(ended.contains), "\(id) overtakes")
      inTransit.insert(id)
      return true
    }

    for _ in 0..<50 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        count += 1
        let entity = "Cart:\(Int.random(in: 1...3, using: &random))"
        let isRepeatable = Bool.random(using: &random)
        try await queue.enqueue("\(count)", entity, isRepeatable: isRepeatable)
        queued[entity, default: []].append("\(count)")
        if !isRepeatable { unrepeatable.insert("\(count)") }
      case 4..<6: _ = try await claim()
      case 6..<9:
        guard let id = inTransit.min() else { continue }
        inTransit.remove(id)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try await queue.settle(id, .retry(after: .zero, RefusalCount()))
        case 1:
          try await queue.settle(id, .reject(Graph.RejectionReason(message: "no")))
          ended.insert(id)
        default:
          try await queue.receive(id)
          ended.insert(id)
        }
      default:
        held.formUnion(inTransit.intersection(unrepeatable))
        inTransit = []
        try await queue.crash()
      }
    }
    for id in inTransit {
      try await queue.receive(id)
      ended.insert(id)
    }
    inTransit = []
    repeat {
      for id in held.subtracting(ended) {
        try await queue.finish(id, .received)
        ended.insert(id)
      }
      while try await claim() {
        for id in inTransit {
          try await queue.receive(id)
          ended.insert(id)
        }
        inTransit = []
      }
    } while !held.isSubset(of: ended)
    #expect(ended == Set(queued.values.joined()))
    #expect(try queue.states().count == count)
  }
}
