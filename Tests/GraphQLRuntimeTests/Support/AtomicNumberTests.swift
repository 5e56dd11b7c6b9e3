import Testing

@testable import GraphQLRuntime

struct AtomicNumberTests {
  @Test func countsOnAllThreads() async {
    let number = AtomicNumber(0)
    let largest = AtomicNumber<UInt64>(0)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 as Range<UInt64> {
        group.addTask {
          for step in 0..<5000 as Range<UInt64> {
            number.add(1)
            largest.raise(to: step * 4 + task)
          }
        }
      }
    }
    #expect(number.load() == 20_000)
    #expect(largest.load() == 19_999)
  }

  @Test func holdsTheLimitsOfItsType() {
    let signed = AtomicNumber<Int64>(.min)
    #expect(signed.load() == .min)
    #expect(signed.raise(to: -1) == .min)
    #expect(signed.load() == -1)
    #expect(signed.raise(to: -2) == -1)
    #expect(signed.load() == -1)
    signed.add(-2)
    #expect(signed.load() == -3)
    let unsigned = AtomicNumber<UInt64>(1)
    unsigned.store(.max)
    #expect(unsigned.raise(to: 1) == .max)
    #expect(unsigned.load() == .max)
  }

  /// A thread that has read a number sees all that was written before the number was stored.
  @Test func publishesWhatWasWrittenBefore() async {
    // Safe: `text` is read after the number is seen.
    final class Box: @unchecked Sendable {
      var text = ""
      let isSet = AtomicNumber(0)
    }
    for round in 0..<100 {
      let box = Box()
      async let text: String = {
        while box.isSet.load() == 0 { await Task.yield() }
        return box.text
      }()
      box.text = "round \(round)"
      box.isSet.store(1)
      #expect(await text == "round \(round)")
    }
  }
}
