import Testing

@testable import GraphQLCodeGen

@Suite struct BalanceTests {
  private func runs(_ weights: [Int], count: Int) -> [[Int]] {
    Balance.runs(
      of: Array(weights.enumerated()), count: count, weight: \.element, name: { "T\($0.offset)" }
    ).map { $0.map(\.element) }
  }

  @Test(arguments: [1, 2, 4, 64])
  func runsAreContiguousAndComplete(count: Int) {
    let weights = (0..<100).map { $0 % 7 + 1 }
    let runs = runs(weights, count: count)
    #expect(runs.count == count)
    #expect(Array(runs.joined()) == weights)
  }

  @Test func runsHaveAboutTheSameWeight() {
    let weights = (0..<400).map { $0 % 7 + 1 }
    let share = weights.reduce(0, +) / 4
    for run in runs(weights, count: 4) {
      #expect(abs(run.reduce(0, +) - share) <= share / 3)
    }
  }

  @Test(arguments: [[], [5], [1000, 1, 1, 1], [1, 1, 1, 1000]])
  func handlesFewAndUnevenWeights(weights: [Int]) {
    let runs = runs(weights, count: 4)
    #expect(runs.count == 4)
    #expect(Array(runs.joined()) == weights)
  }

  @Test func aSmallChangeRarelyMovesABoundary() {
    let weights = (0..<400).map { $0 % 7 + 4 }
    let before = runs(weights, count: 4).map(\.count)
    var moved = 0
    for index in weights.indices {
      var changed = weights
      changed[index] += 3
      if runs(changed, count: 4).map(\.count) != before { moved += 1 }
    }
    #expect(moved < weights.count / 10)
  }
}
