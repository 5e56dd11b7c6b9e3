@testable import GraphQLRuntime
import Testing

/// The table of a schema.
@Suite struct SchemaTableTests {
  @Test func parsesTypesFromLines() throws {
    let product = try #require(Shop.schema.type(named: "Product"))
    #expect(product.kind == .object && product.related == ["Named", "Node"])
    #expect(product.attributes == ["key": "id"])
    let images = try #require(product.field("images"))
    #expect(images.type.text == "[Image!]!" && images.type.name == "Image")
    #expect(images.arguments.map(\.name) == ["first", "after", "ids"])
    #expect(images.argument("ids")?.type.text == "[ID!]")
    #expect(product.field("image")?.argument("crop")?.type.text == "Color")
    #expect(product.field("nothing") == nil)
    #expect(Shop.schema.type(named: "RenameInput")?.field("count")?.type.text == "Int!")
    #expect(Shop.schema.type(named: "ProductBy")?.kind == .oneOfInput)
    #expect(Shop.schema.type(named: "Nothing") == nil)
    #expect(Shop.schema.directive("cached")?.map(\.type.text) == ["Int!"])
  }

  @Test func wrappingIsReadOutermostFirst() throws {
    let matrix = try #require(Shop.schema.type(named: "Product")?.field("matrix")).type.wrapping
    #expect(matrix.outermost == .list && matrix.inner.outermost == .nonNull)
    #expect(matrix.inner.inner.outermost == .list && matrix.inner.inner.inner.outermost == .none)
  }

  @Test func findsRootTypesAndResponseClasses() throws {
    #expect(Shop.schema.root(.query)?.name == "QueryRoot")
    #expect(Shop.schema.root(.subscription)?.name == "Feed")
    #expect(Tree.schema.root(.mutation) == nil)
    let node = try #require(Shop.schema.type(named: "Node"))
    #expect(Shop.schema.responseClass(of: node) == Shop.UnknownNode.self)
    #expect(Shop.schema.type(of: Shop.NodeQuery.self) === node)
    #expect(Shop.schema.type(of: Tree.Node.self) == nil)
  }

  @Test func findsPossibleTypesAndApplicableConditions() throws {
    let node = try #require(Shop.schema.type(named: "Node"))
    let result = try #require(Shop.schema.type(named: "Result"))
    let product = try #require(Shop.schema.type(named: "Product"))
    #expect(Shop.schema.possibleTypes(of: node) == ["Article", "Product"])
    #expect(Shop.schema.possibleTypes(of: result) == ["Article", "Product"])
    #expect(Shop.schema.possibleTypes(of: product) == ["Product"])
    #expect(Shop.schema.applies("Node", to: product) && Shop.schema.applies("Result", to: product))
    #expect(!Shop.schema.applies("Article", to: product))
    #expect(
      !Shop.schema.applies("Product", to: result) && !Shop.schema.applies("Nothing", to: product))
  }

  @Test func toleratesMalformedLines() {
    for text in [
      "", "\n\n", ">", "@", "@A", "@A\nx", "@A\nx(", "@A\nx(a", "@A\nx(a:", "%", "<!", "=A :",
    ] {
      let bytes = Array(text.utf8)
      bytes.withUnsafeBufferPointer { bytes in
        let index = TableIndexUnderTest(bytes)
        for (position, header) in index.headers.enumerated() {
          let type = GraphQL.TableReader(bytes: bytes, resolve: { _ in .string })
            .type(header, at: position)
          #expect(type.fields.count <= 1)
        }
      }
    }
  }

  private typealias TableIndexUnderTest = GraphQL.TableIndex

  @Test func largeTablesAreIndexedQuickly() throws {
    var text = ">T0 - -\n"
    for type in 0..<1_600 {
      text += "@T\(type) Node Named key:id\n"
      for field in 0..<9 { text += "field\(field)(first:Int after:String) [T\(type)!]!\n" }
    }
    let bytes = Array(text.utf8)
    #expect(bytes.count > 400_000)
    try bytes.withUnsafeBufferPointer { bytes in
      var index = GraphQL.TableIndex(UnsafeBufferPointer(start: nil, count: 0))
      let time = ContinuousClock().measure { index = GraphQL.TableIndex(bytes) }
      #expect(index.headers.count == 1_600 && index.compositeCount == 1_600)
      #expect(time < .seconds(2))
      let position = try #require(index.positions["T1234"])
      let type = GraphQL.TableReader(bytes: bytes, resolve: { _ in .string })
        .type(index.headers[position], at: position)
      #expect(type.fields.map(\.name) == (0..<9).map { "field\($0)" })
    }
  }
}
