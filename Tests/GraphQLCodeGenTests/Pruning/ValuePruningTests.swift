import GraphQLCodeGen
import Testing

@Suite struct ValuePruningTests {
  private let schema = """
    directive @inContext(country: Country, mode: Mode) on QUERY
    directive @trace on FIELD
    type Query { find(by: Key!, filter: Filter, sort: Sort): Item }
    type Item { status: Status @deprecated kind: Kind }
    enum Status { OPEN }
    enum Kind { A B }
    enum Sort { UP }
    enum Country { CA }
    enum Mode { FAST }
    enum Unused { X }
    input Filter { text: String range: Range status: Status limit: Int! }
    input Range { low: Int high: Int nested: Range }
    input Key @oneOf { id: ID place: Place }
    input Place { country: Country! street: String }
    """

  @Test(arguments: [
    ("buildQuery find", ["Country", "Key", "Place"]),
    ("buildQuery find sort", ["Country", "Sort", "Key", "Place"]),
    ("buildQuery find filter", ["Country", "Filter", "Key", "Place"]),
    ("buildQuery find filter range", ["Country", "Filter", "Key", "Place", "Range"]),
    ("buildQuery find kind", ["Country", "Kind", "Key", "Place"]),
    ("buildQuery inContext", []),
    ("buildQuery inContext mode country", ["Country", "Mode"]),
    ("let unused: Shop.Unused", ["Unused"]),
    ("let range: Shop.Range", ["Range"]),
    ("let key: Shop.Key", ["Country", "Key", "Place"]),
  ])
  func keepsUsedInputTypesAndEnums(source: String, types: [String]) throws {
    let module = try Generation(schema, usedBy: source)
    let composites: Set<String> = ["Query", "Item"]
    #expect(Set(module.keptTypes).subtracting(composites) == Set(types))
  }

  @Test func inputFieldsAreKeptByLabel() throws {
    let module = try Generation(schema, usedBy: "buildQuery find filter text")
    #expect(
      module.declaration("public init")?.contains("text: String? = nil") == true)
    let filter = module.declaration("public struct Filter")
    #expect(filter?.contains("var text:") == true)
    #expect(filter?.contains("limit: Int") == true)  // Required: it cannot be left out.
    #expect(filter?.contains("range") == false)
    #expect(filter?.contains("status") == false)
  }

  @Test func oneOfInputsKeepAllCases() throws {
    let module = try Generation(schema, usedBy: "buildQuery find")
    #expect(module.declaration("public enum Key")?.contains("case place(Place)") == true)
  }

  @Test func enumsKeepAllCases() throws {
    let module = try Generation(schema, usedBy: "buildQuery find kind")
    #expect(module.declaration("public enum Kind")?.contains("\"A B\"") == true)
  }

  @Test func directivesAreKeptByTheirNames() throws {
    let module = try Generation(schema, usedBy: "buildQuery trace")
    #expect(module.text.contains("static func trace()"))
    #expect(!module.text.contains("static func inContext"))
    #expect(module.table.filter { $0.hasPrefix("%") } == ["%trace"])
  }
}
