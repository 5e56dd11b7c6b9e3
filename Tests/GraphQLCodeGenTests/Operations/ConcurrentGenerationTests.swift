import GraphQLSchema
import Testing

@testable import GraphQLCodeGen

/// Several documents are generated at the same time, with the same result as one after the other.
@Suite struct ConcurrentGenerationTests {
  private static let sdl = """
    interface Item { id: ID! next: Item name: String old: String @deprecated }
    type Leaf implements Item { id: ID! next: Item name: String old: String @deprecated }
    type Query { item: Item }
    """

  /// Documents for several parts, among them some with errors and warnings.
  private static let documents: [Source] = {
    var nested = "__typename"
    for _ in 0..<16 { nested = "next { \(nested) ... on Leaf { __typename } }" }
    let faults = [1: "unknown", 2: "old", 3: "name ! }"]
    let part = Source(name: "Part.graphql", text: "fragment Part on Item { name }")
    return [part]
      + (1...3 * Concurrency.documentsPerPart).map { number in
        let selections =
          number % 50 == 0 ? nested : faults[number % 5] ?? "...Part next { name }"
        return Source(
          name: "Q\(number).graphql", text: "query Q\(number) { item { \(selections) } }")
      }
  }()

  private static func output(_ documents: [Source]) throws -> OperationsPipeline.Output {
    OperationsPipeline(configuration: Configuration()).run(
      try ServiceSchema(sdl: sdl), documents: documents)
  }

  @Test func filesAndFindingsAreThoseOfEachDocument() throws {
    let together = try Self.output(Self.documents)
    let alone = try Self.documents.dropFirst().map { try Self.output([Self.documents[0], $0]) }
    #expect(together.files.dropFirst() == alone.flatMap { $0.files.dropFirst() }[...])
    #expect(together.operations == alone.flatMap(\.operations))
    for code in ["syntax", "KnownFields", "TooManyStructs", "AddedKey", "DeprecatedField"] {
      func findings(_ output: OperationsPipeline.Output) -> [Diagnostic] {
        output.diagnostics.filter { $0.code == code && $0.position?.source != "Part.graphql" }
      }
      #expect(findings(together).count > 2)
      #expect(findings(together) == alone.flatMap(findings))
    }
  }

  @Test func everyRunIsTheSame() throws {
    #expect(try Self.output(Self.documents) == Self.output(Self.documents))
  }

  @Test(arguments: [0, 1, 9, 10, 11, 100])
  func resultsAreInTheOrderOfTheParts(count: Int) {
    let numbers = Array(0..<count)
    let parts = Concurrency.map(numbers, partsOf: 10) { Array($0) }
    #expect(parts.joined().elementsEqual(numbers))
    #expect(parts.allSatisfy { (1...10).contains($0.count) })
  }
}
