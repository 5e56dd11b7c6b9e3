import Testing

@testable import GraphQLRuntime

struct LockedTests {
  /// Values of different sizes and alignments: the lock has the same place in all of them.
  @Test func onlyOneThreadAtATimeHasTheValue() async {
    await count(in: Locked(UInt8(0)), to: 200)
    await count(in: Locked(0), to: 20_000)
    let texts = Locked((first: "", second: SIMD4<Float>(repeating: 0), third: [0]))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            texts.withLock {
              $0.first = "text \(task)"
              $0.second += 1
              $0.third[0] += 1
            }
          }
        }
      }
    }
    #expect(texts.withLock { $0.third } == [2000])
    #expect(texts.withLock { $0.second } == SIMD4(repeating: 2000))
    #expect(texts.withLock { $0.first.count } == 6)
  }

  @Test func anErrorReleasesTheLock() {
    struct Failure: Error, Equatable {}
    let value = Locked(1)
    #expect(throws: Failure()) {
      try value.withLock { (value: inout Int) throws(Failure) in
        value = 2
        throw Failure()
      }
    }
    #expect(value.withLock { $0 } == 2)
  }

  private func count<Number: FixedWidthInteger & Sendable>(
    in value: Locked<Number>, to end: Int
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<end / 4 { value.withLock { $0 += 1 } }
        }
      }
    }
    #expect(value.withLock { Int($0) } == end)
  }
}
