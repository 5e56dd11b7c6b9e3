import Testing

@testable import GraphQLRuntime

struct LazyPartsTests {
  final class Number: Sendable {
    let value: Int
    private let onEnd: @Sendable () -> Void

    init(_ value: Int, onEnd: @escaping @Sendable () -> Void = {}) {
      self.value = value
      self.onEnd = onEnd
    }

    deinit { onEnd() }
  }

  // Safe: it adds no properties.
  final class Parts: LazyParts, @unchecked Sendable {}

  @Test func keepsTheFirstValueOfEachPart() {
    let parts = Parts()
    #expect(parts.existing(.first) as Number? == nil)
    #expect(parts.keep(Number(1), as: .second).value == 1)
    #expect(parts.existing(.first) as Number? == nil)
    #expect(parts.keep(Number(2), as: .second).value == 1)
    #expect(parts.keep(Number(3), as: .first).value == 3)
    #expect((parts.existing(.second) as Number?)?.value == 1)
    #expect((parts.existing(.first) as Number?)?.value == 3)
  }

  @Test func releasesItsPartsAndWhatItDoesNotKeep() {
    let ended = Locked<[Int]>([])
    do {
      let parts = Parts()
      for number in 1...3 {
        parts.keep(
          Number(number) { ended.withLock { $0.append(number) } },
          as: number == 2 ? .second : .first)
      }
      #expect(ended.withLock { $0 } == [3])
      withExtendedLifetime(parts) {}
    }
    #expect(ended.withLock { $0.sorted() } == [1, 2, 3])
  }

  @Test func allThreadsGetTheSamePart() async {
    for _ in 0..<200 {
      let parts = Parts()
      let values = await withTaskGroup(of: Int.self) { group in
        for number in 0..<4 {
          group.addTask {
            (parts.existing(.first) as Number?)?.value
              ?? parts.keep(Number(number), as: .first).value
          }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(values.count == 1)
    }
  }
}
