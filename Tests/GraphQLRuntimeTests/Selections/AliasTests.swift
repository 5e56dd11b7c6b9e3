import GraphQLRuntime
import Testing

/// Response names from `alias:` (specification: 2.7 Field Alias).
@Suite struct AliasTests {
  @Test func selectsFieldWithSeveralAliases() throws {
    let operation = try Shop.buildQuery {
      $0.products {
        $0.image { $0.url() }.image(alias: "a", size: 1) { $0.url() }
          .image(alias: "b_2", size: 1) { $0.url(alias: "x") }
      }
    }.operation()
    #expect(
      operation.document
        == "query($size1:Int,$size2:Int){products{image{url} image__a:image(size:$size1){url} "
        + "image__b_2:image(size:$size2){url__x:url}}}")
  }

  @Test(arguments: ["", "a__b", "_a", "__", "a b", "é", "a-b", "a\"", "a:b"])
  func rejectsInvalidAliases(_ alias: String) {
    #expect(
      problems(Shop.buildQuery { $0.flags(alias: alias) }) == [
        "flags__\(alias): `\(alias)` is not an alias: use letters, digits and single `_`, and do "
          + "not start with `_`"
      ])
  }

  @Test func rejectsAliasThatFormsFieldName() {
    let product = Shop.ProductQuery()
    product.addField(field: "legacy", aliasSuffix: "id")
    let root = Shop.QueryRootQuery()
    root.addField(field: "products", subfields: product)
    #expect(
      problems(root).last
        == "products.legacy__id: alias `id` results in the name `legacy__id`, which is a field of Product; "
        + "choose another alias")
  }

  @Test func rejectsInterfaceAliasThatFormsFieldNameOfObject() {
    let node = Shop.NodeQuery()
    node.addField(field: "legacy", aliasSuffix: "id")
    let root = Shop.QueryRootQuery()
    root.addField(field: "node", args: "(id: 1)", subfields: node)
    #expect(problems(root).last?.contains("which is a field of Product") == true)
  }

  @Test func acceptsFieldNameWithTwoUnderscores() throws {
    let operation = try Shop.buildQuery { $0.products { $0.legacy__id().legacy__id(alias: "a") } }
      .operation()
    #expect(operation.document == "{products{legacy__id legacy__id__a:legacy__id}}")
    let product = try operation.data(
      #"{"products":[{"legacy__id":"1","legacy__id__a":"2"}]}"#
    ).products[0]
    #expect(product.legacy__id == "1")
    #expect(product.value(\.legacy__id, alias: "a") == "2")
    #expect(product.field("legacy__id") as? String == "1")
    #expect(product.field("legacy__id__a") as? String == "2")
  }

  @Test func typenameAcceptsAlias() throws {
    let operation = try Shop.buildQuery { $0.__typename(alias: "kind") }.operation()
    #expect(operation.document == "{__typename__kind:__typename}")
    #expect(
      try operation.data(#"{"__typename__kind":"QueryRoot"}"#).field("__typename__kind") as? String
        == "QueryRoot")
  }
}
