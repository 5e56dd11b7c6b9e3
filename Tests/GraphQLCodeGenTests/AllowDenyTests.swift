import GraphQLCodeGen
import GraphQLSchema
import Testing

@Suite struct AllowDenyTests {
  private static let sdl = """
    directive @inContext(country: Country!) on QUERY
    type Query { node(id: ID!): Node product(sort: Sort, filter: Filter): Product search: [Result!] }
    type Mutation { save(input: SaveInput!): Product }
    interface Node { id: ID! }
    type Product implements Node { id: ID! title: String image: Image vendor: Vendor }
    type Image { url: String! product: Product }
    type Vendor implements Node { id: ID! name: String }
    union Result = Product | Vendor
    enum Sort { A }
    enum Country { CA }
    input Filter { sort: Sort text: String }
    input SaveInput { id: ID! sort: Sort note: String }
    """

  private func configuration(allow: [String] = [], deny: [String] = []) throws -> Configuration {
    func list(_ entries: [String]) throws -> [Located<ListedElement>] {
      try entries.map { Located(try #require(ListedElement($0))) }
    }
    return Configuration(namespace: "Shop", allow: try list(allow), deny: try list(deny))
  }

  private func generate(allow: [String] = [], deny: [String] = []) throws -> Generation {
    try Generation(Self.sdl, configuration: configuration(allow: allow, deny: deny))
  }

  private func types(_ module: Generation) -> [String] {
    module.table.compactMap { line in
      guard let sigil = line.first, "@&|=<$%".contains(sigil) else { return nil }
      return String(line.dropFirst().prefix { $0 != " " && $0 != "(" })
    }
  }

  @Test func everythingIsGeneratedWithoutLists() throws {
    let module = try generate()
    #expect(
      types(module) == [
        "Country", "Filter", "Image", "Mutation", "Node", "Product", "Query", "Result", "SaveInput",
        "Sort", "Vendor", "inContext",
      ])
    #expect(module.output.diagnostics.isEmpty)
  }

  @Test func denyingTypeRemovesReferringFields() throws {
    let module = try generate(deny: ["Vendor", "Image"])
    #expect(!module.text.contains("Vendor") && !module.text.contains("Image"))
    #expect(module.table.contains("|Result Product"))
    #expect(
      module.output.diagnostics.map(\.message) == [
        "`Product.image` is left out because its type `Image` is left out.",
        "`Product.vendor` is left out because its type `Vendor` is left out.",
      ])
    #expect(module.output.diagnostics.allSatisfy { $0.severity == .note })
  }

  @Test func denyingFieldRemovesNoOtherField() throws {
    let module = try generate(deny: ["Product.title"])
    #expect(!module.text.contains("title"))
    #expect(module.output.diagnostics.isEmpty)
  }

  @Test func denyingInterfaceRemovesConformances() throws {
    let module = try generate(deny: ["Node"])
    #expect(module.table.contains("@Product key:id"))
    #expect(module.declaration("public final class Product: _Response, Result,") != nil)
  }

  @Test func removesUnreachableTypes() throws {
    let module = try generate(deny: ["Query.product", "Mutation"])
    #expect(!types(module).contains("Filter"))
    #expect(!types(module).contains("SaveInput"))
    #expect(!module.text.contains("buildMutation"))
  }

  @Test func removesTypesWithoutRemainingFields() throws {
    let module = try generate(deny: ["Product", "Vendor"])
    #expect(types(module) == ["Country", "Node", "Query", "inContext"])
    #expect(module.output.diagnostics.contains { $0.code == "TypeDropped" })
  }

  @Test func allowListKeepsListedTypesAndFields() throws {
    let module = try generate(allow: ["Query.product", "Product.id", "Product.title"])
    #expect(types(module) == ["Country", "Filter", "Product", "Query", "Sort", "inContext"])
    #expect(
      module.table.filter { !$0.hasPrefix("%") } == [
        ">Query - -", "=Country", "<Filter", "sort Sort", "text String", "@Product key:id",
        "id ID!", "title String", "@Query", "product(sort:Sort filter:Filter) Product", "=Sort",
      ])
  }

  @Test func denyOverridesAllow() throws {
    let module = try generate(
      allow: ["Query.product", "Product"], deny: ["Product.title", "Filter"])
    #expect(module.table.contains("product(sort:Sort) Product"))
    #expect(!module.text.contains("title"))
  }

  @Test func denyingTypeRemovesOptionalArguments() throws {
    let module = try generate(deny: ["Sort"])
    #expect(module.table.contains("product(filter:Filter) Product"))
    #expect(module.table.contains("<Filter"))
    #expect(!module.text.contains("Sort"))
  }

  @Test func denyingTypeOfRequiredArgumentRemovesDirective() throws {
    let module = try generate(deny: ["Country"])
    #expect(!module.text.contains("inContext"))
    #expect(module.output.diagnostics.map(\.code) == ["DirectiveDropped"])
  }

  @Test(
    "Denials that break the schema are errors",
    arguments: [
      (["Query"], "RootDenied"),
      (["Query.product", "Query.node", "Query.search"], "RootDenied"),
      (["SaveInput"], "RequiredTypeDenied"),
      (["SaveInput.id"], "RequiredFieldDenied"),
      (["Product.id"], "PromisedFieldDenied"),
      (["Produkt"], "UnknownType"),
      (["Product.titel"], "UnknownField"),
      (["Filter.txt"], "UnknownField"),
    ])
  func rejectsDenialsThatBreakSchema(deny: [String], code: String) throws {
    let found = try diagnostics { _ = try generate(deny: deny) }
    #expect(found.filter { $0.severity == .error }.map(\.code) == [code])
  }

  @Test func removedFieldIsRemovedFromInterface() throws {
    let module = try Generation(
      """
      interface Owned { owner: Owner a: Int } interface Owner { b: Int }
      type Person implements Owner { b: Int }
      type Thing implements Owned { owner: Person a: Int } type Query { thing: Thing owned: Owned }
      """, configuration: configuration(deny: ["Person"]))
    #expect(module.declaration("nonisolated extension Shop.Owned")?.contains("owner") == false)
    #expect(
      module.output.diagnostics.map(\.message) == [
        "`Thing.owner` is left out because its type `Person` is left out.",
        "`Thing.owner` is left out, but `Owned.owner` declares it. Both are left out.",
      ])
  }
}
