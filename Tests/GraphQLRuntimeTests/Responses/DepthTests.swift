import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// The deepest operation and its response fit the stack of a secondary thread.
@Suite struct DepthTests {
  @Test func deepestOperationNeedsLittleStack() async throws {
    let value = await onSmallStack { () throws -> Int? in
      let operation = try Tree.chain(200).operation()
      let opening = String(repeating: "{\"left\":", count: 199)
      let closing = String(repeating: "}", count: 200)
      var node = try operation.data(opening + "{\"value\":1" + closing)
      for _ in 1..<200 { node = try #require(node.left) }
      return node.value
    }
    #expect(try value.get() == 1)
  }

  @Test func deepestInputNeedsLittleStack() async throws {
    let count = await onSmallStack { () throws -> Int in
      var input = Shop.RenameInput(title: "T")
      for _ in 0..<99 { input = .init(title: "T", lines: [input]) }
      let query = Shop.buildMutation { $0.rename(id: "1", input: input) { $0.id() } }
      return try query.operation().variables.count + query.description.utf8.count
    }
    #expect(try count.get() > 2_000)
  }

  @Test func deepestFieldsNeedLittleStack() async throws {
    let title = await onSmallStack { () throws -> String? in
      var fields: [String: Any] = ["value": 1]
      for _ in 0..<127 { fields = ["left": fields] }
      return try Tree.Node(fields: fields).left?.__typename
    }
    #expect(try title.get() == "Node")
  }

  /// The result of `body` on a thread with half a megabyte of stack, as secondary threads have on
  /// Apple systems.
  private func onSmallStack<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Result(catching: body)) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}
