import Foundation
@testable import GraphQLSchema
import Testing

/// Large and adversarial documents are validated in time that grows with their size, or are reported as
/// too large.
@Suite struct ValidationLimitTests {
  private let count = 2_000

  private func repeated(_ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: " ")
  }

  private func findings(_ text: String, maximumSteps: Int) throws -> [String] {
    var validator = try ExecutableValidator(document: parse(text), schema: library.get())
    validator.maximumSteps = maximumSteps
    validator.validate()
    return validator.diagnostics.finish().elements.map(summary)
  }

  /// Comparing all pairs, or following each spread, would take at least a million steps each.
  @Test func repetitionTakesFewSteps() throws {
    let documents = [
      "{ \(repeated { _ in "settings" }) }",
      "{ \(repeated { "a\($0): settings" }) }",
      "{ \(repeated { _ in "book(id: 1) { sequel { id title } }" }) }",
      "{ \(repeated { "book(id: 1) { a\($0): id }" }) }",
      "{ \(repeated { _ in "...A" }) } fragment A on Query { settings }",
      "{ work { \(repeated { _ in "... on Book { title } ... on Film { title }" }) } }",
      "{ ...A0 } \(repeated { "fragment A\($0) on Query { settings ...A\($0 + 1) }" }) "
        + "fragment A\(count) on Query { settings }",
      "{ book(id: 1) { ...A0 } } "
        + repeated { "fragment A\($0) on Book { id sequel { ...A\($0 + 1) } }" }
        + " fragment A\(count) on Book { id }",
    ]
    for document in documents {
      #expect(try findings(document, maximumSteps: 20 * count) == [], "\(document.prefix(60))")
    }
  }

  /// The fields of these fragments have 2 to the power of 2,000 response paths.
  @Test func doublingFragmentsTakeFewSteps() throws {
    let document =
      "{ book(id: 1) { ...A0 } } "
      + repeated {
        "fragment A\($0) on Book { a: sequel { ...A\($0 + 1) } b: sequel { ...A\($0 + 1) } }"
      } + " fragment A\(count) on Book { id }"
    #expect(try findings(document, maximumSteps: 20 * count) == [])
  }

  /// Each of 2 to the power of 20 response paths leads to a different set of fragments.
  @Test func fieldMergingStopsAtStepLimit() throws {
    let depth = 20
    var document = "{ book(id: 1) { ...A0 } } fragment A\(depth) on Book { id }"
    for level in 0..<depth {
      document +=
        " fragment A\(level) on Book { a: sequel { ...A\(level + 1) ...X\(level) } "
        + "b: sequel { ...A\(level + 1) ...Y\(level) } }"
      for name in ["X\(level)", "Y\(level)"] {
        document +=
          " fragment \(name) on Book { a: sequel { ...\(name) } b: sequel { ...\(name) } }"
      }
    }
    #expect(
      try findings(document, maximumSteps: 20_000).filter { !$0.contains("FragmentCycles") } == [
        "1:1 TooComplex: The fragments overlap in too many ways to check that all fields can be "
          + "merged."
      ])
  }

  @Test func variableCheckStopsAtStepLimit() throws {
    let document =
      "fragment F on Query { a: book(id: $a) { id } b: book(id: $a) { id } } "
      + repeated { "query A\($0)($a: ID!) { ...F }" }
    let found = try findings(document, maximumSteps: 4 * count)
    #expect(found.count == 1)
    #expect(
      found[0].hasSuffix(
        "TooComplex: The operations share too many fragments to check all their variables."))
  }
}

/// Secondary threads have half a megabyte of stack on Apple platforms.
@Suite struct ValidationStackTests {
  @Test func theDeepestDocumentNeedsLittleStack() async throws {
    let schema = try ServiceSchema(
      sdl: "input Nest { nest: Nest, list: [Nest] } type Query { field(nest: Nest): Query }")
    // Two levels belong to the operation and the argument.
    let depth = Document.defaultMaximumDepth - 2
    let value =
      String(repeating: "{nest:", count: depth - 1) + "{wrong:1}"
      + String(repeating: "}", count: depth - 1)
    let texts = [
      "{ field(nest: \(value)) { __typename } }",
      String(repeating: "{ field ", count: depth) + "{ wrong }"
        + String(repeating: "}", count: depth),
    ]
    for text in texts {
      let findings = await onSmallStack {
        Result {
          try Document(parsing: Source(name: "deep.graphql", text: text)).validate(against: schema)
        }
      }
      #expect(try findings.get().count == 1)
    }
  }

  private func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }
}
