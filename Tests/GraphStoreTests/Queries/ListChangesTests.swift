import Testing

@testable import GraphStore

@Suite struct ListChangesTests {
  private func changes(_ old: String, _ new: String, updated: Set<Character> = [])
    -> Graph.ListChanges
  {
    Graph.ListChanges(from: Array(old), to: Array(new)) { _, place in
      !updated.contains(Array(new)[place])
    }
  }

  @Test func findsInsertionsDeletionsMovesAndUpdates() {
    #expect(changes("", "").isEmpty)
    #expect(changes("abc", "abc").isEmpty)
    #expect(changes("", "ab").insertions == [0, 1])
    #expect(changes("ab", "").deletions == [0, 1])
    let all = changes("abcde", "xedab", updated: ["e", "x"])
    #expect(all.insertions == [0] && all.deletions == [2] && all.updates == [1])
    #expect(all.moves.map(\.from).sorted() == [3, 4])
  }

  @Test(arguments: [
    ("abcd", "dabc", 1), ("abcd", "bcda", 1), ("abcd", "dcba", 3), ("abcdef", "badcfe", 3),
    ("abc", "xaybzc", 0),
  ])
  func usesTheFewestMoves(old: String, new: String, moves: Int) {
    #expect(changes(old, new).moves.count == moves)
  }

  /// The changes, applied to the old list, give the new one.
  @Test(arguments: [
    ("abcdefgh", "hgxbacyd"), ("abc", "cba"), ("abcd", "xyz"), ("", "abc"), ("abcabc", "cab"),
  ])
  func applyingTheChangesProducesTheNewList(old: String, new: String) {
    let old = Array(Set(old)).sorted()
    let new = Array(new)
    let changes = Graph.ListChanges(from: old, to: new) { _, _ in true }
    let gone = Set(changes.deletions + changes.moves.map(\.from))
    var list = old.indices.filter { !gone.contains($0) }.map { old[$0] }
    let placed =
      changes.insertions.map { ($0, new[$0]) } + changes.moves.map { ($0.to, old[$0.from]) }
    for (place, element) in placed.sorted(by: { $0.0 < $1.0 }) {
      list.insert(element, at: min(place, list.count))
    }
    #expect(list == new)
  }
}
