import GraphQLCodeGen
import Testing

@Suite struct PruningReportTests {
  private let schema = """
    type Query { item: Item size: Size }
    type Item { name: String price(size: Size): Int }
    enum Size { S L }
    input Filter { name: String }
    """

  @Test func listsKeptAndDroppedTypesAndFields() throws {
    let report = try #require(
      try Generation(schema, usedBy: "buildQuery item name").output.pruning)
    #expect(report.keptFields == ["Item.name", "Query.item"])
    #expect(report.droppedFields == ["Item.price", "Query.size"])
    #expect(report.keptTypes == ["Item", "Query"])
    #expect(report.droppedTypes == ["Size", "Filter"])
    #expect(report.summary == "2 of 4 fields and 2 of 4 types are kept.")
  }

  @Test func withoutPruningThereIsNoReport() throws {
    #expect(try Generation(schema).output.pruning == nil)
  }

  @Test func keepsEverythingIfAllNamesAreUsed() throws {
    let pruned = try Generation(
      schema, usedBy: "buildQuery item size name price Size Filter Item directive")
    #expect(pruned.output.files == (try Generation(schema)).output.files)
  }
}
