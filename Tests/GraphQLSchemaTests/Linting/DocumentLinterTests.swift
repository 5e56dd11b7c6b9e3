import Testing

@testable import GraphQLSchema

@Suite("Valid documents with probable mistakes")
struct DocumentLinterTests {
  private static let schema = """
    type Query {
      items(first: Int, last: Int, after: String, before: String): Items!
      old: String @deprecated
      item(id: ID!, legacy: Int @deprecated(reason: "Use id."), filter: Filter, kinds: [Kind!]): Item
    }
    interface Node { id: ID! tag: String @deprecated(reason: "Two\\nlines.") }
    type Item implements Node { id: ID! tag: String kind: Kind }
    type Items { edges: [Edge!]! nodes: [Item!]! pageInfo: PageInfo! totalCount: Int! }
    type Edge { node: Item! }
    type PageInfo { hasNextPage: Boolean! }
    enum Kind { BIG SMALL @deprecated(reason: "Nothing is small.") }
    input Filter { kind: Kind, text: String @deprecated(reason: "No search."), or: [Filter!] }
    directive @show(as: Kind, size: Int @deprecated(reason: "Unused.")) on FIELD | QUERY
    """

  private func lint(
    _ documents: String..., imported: [String] = [],
    rules: Set<DocumentLinter.Rule> = Set(DocumentLinter.Rule.allCases)
  ) throws -> [String] {
    func sources(_ texts: [String], _ name: String) -> [Source] {
      texts.enumerated().map { Source(name: "\(name)\($0 + 1)", text: $1) }
    }
    let own = sources(documents, "d")
    let all = own + sources(imported, "i")
    let parsed = Document.parse(all).documents
    let linter = DocumentLinter(
      Array(parsed.prefix(own.count)), sources: all,
      fragments: Dictionary(
        parsed.flatMap(\.fragments).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      schema: try ServiceSchema(sdl: Self.schema), reports: rules)
    return linter.findings().map { finding in
      let place = finding.position.map { "\($0.source):\($0.line):\($0.column)" } ?? ""
      return "\(place) \(finding.severity) \(finding.code): \(finding.message)"
    }
  }

  @Test func usesOfDeprecatedElementsHaveTheirReasons() throws {
    #expect(
      try lint(
        """
        query Q($kind: Kind = SMALL) @show(as: SMALL, size: 1) {
          old
          item(id: 1, legacy: 2, filter: { text: "a", or: [{ kind: SMALL }] }, kinds: [BIG, SMALL]) {
            ... on Node { tag }
            kind @show(as: BIG)
            tag
          }
        }
        """) == [
          #"d1:1:23 warning DeprecatedEnumValue: "Kind.SMALL" is deprecated: Nothing is small."#,
          #"d1:1:40 warning DeprecatedEnumValue: "Kind.SMALL" is deprecated: Nothing is small."#,
          #"d1:1:47 warning DeprecatedArgument: "@show(size:)" is deprecated: Unused."#,
          #"d1:2:3 warning DeprecatedField: "Query.old" is deprecated: No longer supported"#,
          #"d1:3:15 warning DeprecatedArgument: "Query.item(legacy:)" is deprecated: Use id."#,
          #"d1:3:36 warning DeprecatedInputField: "Filter.text" is deprecated: No search."#,
          #"d1:3:60 warning DeprecatedEnumValue: "Kind.SMALL" is deprecated: Nothing is small."#,
          #"d1:3:85 warning DeprecatedEnumValue: "Kind.SMALL" is deprecated: Nothing is small."#,
          #"d1:4:19 warning DeprecatedField: "Node.tag" is deprecated: Two lines."#,
        ])
  }

  @Test(arguments: [
    ("items(first: 3) { nodes { id } }", "note"),
    ("items(last: 3) { edges { node { id } } }", "note"),
    ("items(first: 3, after: \"a\") { nodes { id } }", "note"),
    ("items(last: 3, before: $cursor) { ...Page }", "warning"),
    ("items(after: $cursor) { ... { nodes { id } } totalCount }", "warning"),
  ])
  func aPageWithoutPageInfoIsFound(field: String, severity: String) throws {
    #expect(
      try lint(
        "query Q { \(field) ...Use } fragment Use on Query { items { ...Page } }",
        imported: ["fragment Page on Items { nodes { id } }"]) == [
          #"d1:1:11 \#(severity) MissingPageInfo: "items" selects a page of a connection "#
            + #"without "pageInfo", so it is unknown whether there are more."#
        ])
  }

  @Test(arguments: [
    "items(first: 3) { nodes { id } pageInfo { hasNextPage } }",
    "items(first: 3) { nodes { id } ...Info }", "items(first: 3) { totalCount }",
    "items { nodes { id } }", "item(id: 1) { id }",
  ])
  func otherSelectionsAreNotPages(field: String) throws {
    #expect(
      try lint(
        "query Q { \(field) }", "query R { items { ...Info } }",
        imported: ["fragment Info on Items { ... on Items { pageInfo { hasNextPage } } }"]
      ).isEmpty)
  }

  @Test func unusedFragmentsAreFoundInAllDocumentsTogether() throws {
    #expect(
      try lint(
        "query Q { item(id: 1) { ...A } }", "fragment A on Item { ...B }",
        "fragment B on Item { id }\nfragment C on Item { id }")
        == [#"d3:2:10 warning UnusedFragment: No document of this module uses the fragment "C"."#])
  }

  @Test func aModuleWithOnlyFragmentsHasThemForOthers() throws {
    #expect(try lint("fragment A on Item { id }").isEmpty)
  }

  /// The validation reports them.
  @Test func errorsAreSkipped() throws {
    #expect(
      try lint(
        "query Q { nothing(a: SMALL) { id } item(no: { text: 1 }) { old { x } ...None } }",
        "query {", "fragment F on Nothing { a }", "query R { a @none(b: 1) ...F }"
      ).isEmpty)
  }

  @Test func onlyTheWantedRulesAreApplied() throws {
    let document = "query Q { old items(after: $a) { nodes { id } } } fragment A on Item { id }"
    #expect(try lint(document).count == 3)
    for rule in DocumentLinter.Rule.allCases {
      #expect(try lint(document, rules: [rule]).count == 1)
    }
  }

  /// Several threads check many documents. The findings are in the order of the documents, and limited as for one.
  @Test func findingsOfManyDocuments() throws {
    let count = DiagnosticCollector.maximumCount + Concurrency.documentsPerPart
    let texts = (0..<count).map { "query Q\($0) { first: old second: old }" }
    let schema = try ServiceSchema(sdl: "type Query { old: Int @deprecated }")
    let sources = texts.enumerated().map { Source(name: "\($0)", text: $1) }
    let findings = DocumentLinter(sources, schema: schema).findings()
    #expect(
      findings.dropLast().map { $0.position?.source }
        == (0..<DiagnosticCollector.maximumCount).map { "\($0 / 2)" })
    #expect(
      findings.last?.message
        == "\(2 * count - DiagnosticCollector.maximumCount) more are not shown.")
  }
}
