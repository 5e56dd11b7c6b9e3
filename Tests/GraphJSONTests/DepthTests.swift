import Foundation
import GraphJSON
import Testing

@Suite struct DepthTests {
  private func nested(_ depth: Int, open: String = "[", close: String = "]") -> String {
    String(repeating: open, count: depth) + String(repeating: close, count: depth)
  }

  @Test func defaultMaximumDepthIs512() throws {
    #expect(throws: Never.self) { try JSONDocument(parsing: nested(512)) }
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: nested(513)) }
    #expect(error.code == .tooDeep)
    #expect(error.offset == 512)
    #expect(error.message == "nested deeper than 512 levels")
  }

  @Test func maximumDepthIsConfigurable() throws {
    #expect(throws: Never.self) { try JSONDocument(parsing: "1", maximumDepth: 0) }
    #expect(throws: JSONError.self) { try JSONDocument(parsing: "[]", maximumDepth: 0) }
    #expect(throws: Never.self) { try JSONDocument(parsing: "[[],[]]", maximumDepth: 2) }
    #expect(throws: JSONError.self) { try JSONDocument(parsing: "[[[]]]", maximumDepth: 2) }
    #expect(throws: Never.self) { try JSONDocument(parsing: nested(1024), maximumDepth: .max) }
    #expect(throws: JSONError.self) { try JSONDocument(parsing: nested(1025), maximumDepth: .max) }
  }

  @Test func depthCountsOnlyOpenContainers() {
    let text = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
    #expect(throws: Never.self) { try JSONDocument(parsing: text, maximumDepth: 3) }
  }

  /// Runs `body` on a thread with the stack of a secondary thread on Apple platforms.
  private func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[1,", "{\"a\":1,\"b\":", "[\n "])
  func rejectsMillionNestingLevels(open: String) async {
    let code = await onSmallStack {
      do throws(JSONError) {
        let text = String(repeating: open, count: 1_000_000)
        _ = try JSONDocument(parsing: text, maximumDepth: .max)
        return nil as JSONError.Code?
      } catch { return error.code }
    }
    #expect(code == .tooDeep)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func treeAtMaximumDepthFitsSmallStack(open: String, close: String) async {
    let depth = JSONDocument.largestMaximumDepth
    let inner = open == "[" ? "" : "1"
    let text =
      String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    let isSame = await onSmallStack {
      guard let first = try? JSON(parsing: Array(text.utf8), maximumDepth: .max),
        let second = try? JSON(parsing: Array(text.utf8), maximumDepth: .max)
      else { return false }
      return first == second && first.hashValue == second.hashValue && first.description == text
    }
    #expect(isSame)
  }
}
