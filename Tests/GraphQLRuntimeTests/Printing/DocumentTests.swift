import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// The text of documents and variables (specification: 2 Language).
@Suite struct DocumentTests {
  @Test func printsPlainQueryAsSelectionSet() throws {
    let operation = try Shop.buildQuery { $0.products { $0.id().title() } }.operation()
    #expect(operation.document == "{products{id title}}")
    #expect(operation.variablesText == "{}")
    #expect(operation.name == nil && operation.kind == .query && operation.uploads.isEmpty)
  }

  @Test func valuesBecomeVariablesInPrintOrder() throws {
    let query = Shop.buildQuery(named: "Home", directives: [.inContext(country: .green)]) {
      $0.products(first: 2) { $0.image(size: 10, crop: .deepRed) { $0.url(width: 3) } }
        .node(id: "a\"b") { $0.id() }
    }
    let operation = try query.operation()
    #expect(
      operation.document
        == "query Home($country1:Color,$first2:Int,$size3:Int,$crop4:Color,$width5:Int,$id6:ID!) "
        + "@inContext(country:$country1)"
        + "{products(first:$first2){image(size:$size3,crop:$crop4){url(width:$width5)}} "
        + "node(id:$id6){__typename id}}")
    #expect(
      operation.variablesText
        == #"{"country1":"GREEN","first2":2,"size3":10,"crop4":"DEEP_RED","width5":3,"id6":"a\"b"}"#
    )
    #expect(operation.name == "Home")
  }

  @Test func dumpsOfOperationAndResponseOmitVariables() throws {
    let operation = try Shop.buildQuery { $0.node(id: "secret") { $0.id() } }.operation()
    let json = #"{"data":{"node":{"__typename":"Product","id":"1"}}}"#
    let response = try operation.response(from: Array(json.utf8))
    var text = "\(operation) \(String(reflecting: operation))"
    dump(operation, to: &text)
    dump(response, to: &text)
    dump(response.data, to: &text)
    #expect(Mirror(reflecting: try #require(response.data)).superclassMirror == nil)
    #expect(text.contains(#"QueryRoot {"node":{"__typename":"Product","id":"1"}}"#))
    #expect(text.contains("node(id:$id1)"))
    #expect(!text.contains("secret"))
    let bytes = "secret".utf8.map { "\($0)" }
    #expect(!text.contains(bytes.joined(separator: ", ")))
  }

  @Test func readableTextContainsValuesInline() {
    let query = Shop.buildQuery(named: "Home", directives: [.inContext(country: .green)]) {
      $0.products(first: 2) {
        $0.image(alias: "big", size: 10, crop: .deepRed) { $0.url() }.null("after").images(
          first: 1, ids: ["x", "y"]
        ) { $0.height() }
      }
      .product(by: .handle("a\"\n")) { $0.title() }
    }
    #expect(
      query.description == #"""
        query Home @inContext(country: GREEN) {
          products(first: 2) {
            image__big: image(size: 10, crop: DEEP_RED) {
              url
            }
            images(first: 1, ids: ["x", "y"], after: null) {
              height
            }
          }
          product(by: {handle: "a\"\n"}) {
            title
          }
        }
        """#)
  }

  @Test func documentDoesNotDependOnValues() throws {
    func document(_ first: Int, _ id: GraphQL.ID, _ input: Shop.ProductBy) throws -> String {
      try Shop.buildQuery {
        $0.products(first: first) { $0.id() }.node(id: id) { $0.id() }
          .product(by: input) { $0.id() }
      }.operation().document
    }
    #expect(try document(1, "1", .id("1")) == document(99, "x", .handle("\u{2028}")))
  }

  @Test func equalValuesUseSeparateVariables() throws {
    let operation = try Shop.buildQuery {
      $0.products(first: 5) { $0.id() }.products(alias: "more", first: 5) { $0.id() }
    }.operation()
    #expect(
      operation.document
        == "query($first1:Int,$first2:Int){products(first:$first1){id} "
        + "products__more:products(first:$first2){id}}")
    #expect(operation.variablesText == #"{"first1":5,"first2":5}"#)
  }

  @Test func variablesHaveTypesOfSchema() throws {
    let operation = try Shop.buildQuery {
      $0.nodes(ids: ["1", nil]) { $0.id() }
        .products { $0.images(ids: ["2"]) { $0.height() } }
    }.operation()
    #expect(operation.document.hasPrefix("query($ids1:[ID]!,$ids2:[ID!]){"))
    #expect(operation.variablesText == #"{"ids1":["1",null],"ids2":["2"]}"#)
  }

  @Test func variableNamesAreUnique() throws {
    let query = Shop.buildQuery { root in
      root.flags(a1: 0)
      for page in 2...10 { root.products(alias: "p\(page)", first: 1) { $0.id() } }
      root.flags(alias: "last", a: 7)
    }
    let operation = try query.operation()
    #expect(operation.document.contains("flags(a1:$a1_1)"))
    #expect(operation.document.contains("flags__last:flags(a:$a11)"))
    #expect(operation.variablesText.hasPrefix(#"{"a1_1":0,"first2":1,"#))
    #expect(operation.variablesText.hasSuffix(#","a11":7}"#))
  }

  @Test func rawArgumentsAreNotConvertedToVariables() throws {
    let query = Shop.buildQuery { root in
      let product = Shop.ProductQuery()
      product.id()
      root.addField(
        field: "products", aliasSuffix: "raw", args: "(first: 3)", subfields: product)
    }
    let operation = try query.operation()
    #expect(operation.document == "{products__raw:products(first: 3){id}}")
    #expect(operation.variablesText == "{}")
    #expect(query.description == "{\n  products__raw: products(first: 3) {\n    id\n  }\n}")
  }

  @Test func rawAndTypedBuildersPrintSameText() throws {
    let typed = Shop.buildQuery { $0.products { $0.id().image(alias: "a") { $0.url() } } }
    let image = GraphQL.AbstractQuery()
    image.addField(field: "url")
    let product = GraphQL.AbstractQuery()
    product.addField(field: "id")
    product.addField(field: "image", aliasSuffix: "a", subfields: image)
    let raw = GraphQL.AbstractQuery()
    raw.addField(field: "products", subfields: product)
    let mixed = Shop.QueryRootQuery()
    mixed.addField(field: "products", subfields: product)
    #expect(raw.description == typed.description)
    #expect(mixed.description == typed.description)
    #expect(try mixed.operation().document == typed.operation().document)
  }

  @Test func printsKeywordsOfMutationsAndSubscriptions() throws {
    let mutation = Shop.buildMutation(named: "Rename") {
      $0.rename(id: "1", input: .init(title: "T")) { $0.id() }
    }
    #expect(
      try mutation.operation().document
        == "mutation Rename($id1:ID!,$input2:RenameInput!){rename(id:$id1,input:$input2){id}}")
    let subscription = Shop.buildSubscription { $0.changed(id: "1") { $0.id() } }
    #expect(
      try subscription.operation().document == "subscription($id1:ID!){changed(id:$id1){id}}")
  }

  @Test func valuesWithoutLiteralFormStayVariables() throws {
    let meta: GraphQL.JSON = ["not a name": 1]
    let upload = GraphQL.Upload(.data(.init([1])), fileName: "a.png")
    let query = Shop.buildMutation {
      $0.attach(file: upload, meta: meta).attach(
        alias: "b", file: upload, meta: ["name": [1, nil]])
    }
    #expect(
      query.description == """
        mutation($file1: Upload!, $meta2: JSON, $file3: Upload!) {
          attach(file: $file1, meta: $meta2)
          attach__b: attach(file: $file3, meta: {name: [1, null]})
        }
        """)
    let operation = try query.operation()
    #expect(
      operation.variablesText
        == #"{"file1":null,"meta2":{"not a name":1},"file3":null,"meta4":{"name":[1,null]}}"#)
    #expect(operation.uploads.map(\.path) == ["variables.file1", "variables.file3"])
  }

  @Test func uploadsInListsHaveTheirOwnPaths() throws {
    let uploads = (0..<3).map { GraphQL.Upload(.data(.init()), fileName: "\($0)") }
    let operation = try Shop.buildMutation { $0.attach(file: uploads[0], files: uploads) }
      .operation()
    #expect(
      operation.uploads.map(\.path) == [
        "variables.file1", "variables.files2.0", "variables.files2.1", "variables.files2.2",
      ])
    #expect(operation.uploads.map(\.upload.fileName) == ["0", "0", "1", "2"])
    #expect(operation.variablesText == #"{"file1":null,"files2":[null,null,null]}"#)
  }

  @Test func laterBuilderChangesDoNotAffectOperation() throws {
    let query = Shop.buildQuery { $0.products { $0.id() } }
    let operation = try query.operation()
    query.flags()
    #expect(operation.document == "{products{id}}")
    #expect(try query.operation().document == "{products{id} flags}")
  }

  @Test(arguments: ["", "1a", "a b", "é", "a-b"])
  func rejectsInvalidOperationNames(_ name: String) {
    let query = Shop.buildQuery(named: name) { $0.flags() }
    #expect(
      problems(query) == ["`\(name)` is not an operation name: use letters, digits and `_`"])
  }

  @Test func deepJSONStaysVariableInReadableText() throws {
    var meta: GraphQL.JSON = .null
    for _ in 0..<300 { meta = .array([meta]) }
    let upload = GraphQL.Upload(.data(.init()), fileName: "a")
    let query = Shop.buildMutation { $0.attach(file: upload, meta: meta) }
    #expect(query.description.contains("meta: $meta2"))
    #expect(try query.operation().variables.count > 600)
  }
}
