import GraphJSON
import GraphQLRuntime
import GraphStorage
import StorefrontAPI
import Testing

/// How the objects of a response are stored, by operation and by type.
@Suite struct StoragePlannerTests {
  // Plans refer to their planner, which the suite keeps.
  private let planner = GraphQL.StoragePlanner(schema: Storefront.schema, keys: [:])

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func plan(_ query: Storefront.QueryRootQuery) throws -> GraphQL.StoragePlan {
    try #require(planner.plan(of: query.operation()))
  }

  @Test func fieldsHaveStorageKeys() throws {
    let plan = try plan(
      Storefront.buildQuery {
        $0.products(first: 2, after: "c", query: "hat") { $0.nodes { $0.id() } }
        $0.shop { $0.name() }
      })
    #expect(plan.typeName == "QueryRoot")
    #expect(plan.fields.map(\.name) == ["products", "shop"])
    #expect(plan.fields.map { text($0.storageKey) } == [#"products({"query":"hat"})"#, "shop"])
    #expect(plan.fields.map(\.page) == [GraphQL.Page(count: 2, cursor: "c"), nil])
    #expect(plan.fields.map(\.isComposite) == [true, true])
    #expect(plan.position(of: Array("shop".utf8)) == 1)
    #expect(plan.position(of: Array("cart".utf8)) == nil)
  }

  @Test func pagesHaveADirection() throws {
    let plan = try plan(
      Storefront.buildQuery { $0.products(last: 3, before: "c") { $0.nodes { $0.id() } } })
    #expect(plan.fields.first?.page == GraphQL.Page(count: 3, cursor: "c", isBackward: true))
    let whole = try #require(planner.plan(ofType: "Product"))
    #expect(whole.fields.first { $0.name == "variants" }?.page == GraphQL.Page())
  }

  @Test func pagingArgumentNamesAreConfigurable() throws {
    let planner = GraphQL.StoragePlanner(
      schema: Storefront.schema, keys: [:], paging: GraphQL.PagingNames(first: "query"))
    let operation = try Storefront.buildQuery {
      $0.products(first: 2, query: "7") { $0.nodes { $0.id() } }
    }.operation()
    let plan = try #require(planner.plan(of: operation))
    #expect(plan.fields.map { text($0.storageKey) } == [#"products({"first":2})"#])
    withExtendedLifetime(planner) {}
  }

  @Test func selectsPlanByObjectType() throws {
    let plan = try plan(
      Storefront.buildQuery { root in
        root.node(id: "1") { node in
          node.id()
          node.onProduct { $0.title() }
        }
      })
    let field = try #require(plan.fields.first)
    #expect(field.isAbstract)
    let json = try JSONDocument(
      parsing: Array(#"[{"__typename":"Product"},{"__typename":"Cart"},{"id":"1"}]"#.utf8))
    let product = json.firstChild(of: JSONDocument.rootIndex)
    let cart = json.next(after: product)
    #expect(field.plan(for: json, at: product).fields.contains { $0.name == "title" })
    #expect(field.plan(for: json, at: cart).fields.contains { $0.name == "title" } == false)
    #expect(field.plan(for: json, at: cart).typeName == "Cart")
    let unknown = field.plan(for: json, at: json.next(after: cart))
    #expect(unknown.typeName == "Node")
    #expect(unknown.isObjectType == false)
  }

  @Test func readsKeysOfObjects() throws {
    let json = try JSONDocument(
      parsing: Array(#"[{"id":"1","handle":"hat"},{"id":7,"handle":"hat"},{"id":null}]"#.utf8))
    let first = json.firstChild(of: JSONDocument.rootIndex)
    let second = json.next(after: first)
    let third = json.next(after: second)
    let plan = try #require(planner.plan(ofType: "Product"))
    #expect(plan.key(of: json, at: first) == GraphQL.EntityKey(typeName: "Product", key: "1"))
    #expect(plan.key(of: json, at: second) == GraphQL.EntityKey(typeName: "Product", key: "7"))
    #expect(plan.key(of: json, at: third) == nil)
    #expect(planner.plan(ofType: "Money")?.key(of: json, at: first) == nil)
    let other = GraphQL.StoragePlanner(
      schema: Storefront.schema, keys: ["Product": ["handle", "id"]])
    #expect(
      other.plan(ofType: "Product")?.key(of: json, at: first)
        == GraphQL.EntityKey(typeName: "Product", key: #"["hat","1"]"#))
    withExtendedLifetime(other) {}
  }

  @Test func connectionTypesHavePlans() {
    #expect(planner.plan(ofType: "QueryRoot.products")?.typeName == "ProductConnection")
    #expect(planner.plan(ofType: "QueryRoot.colours") == nil)
    #expect(
      Storefront.schema.objectTypeName(ofField: "Product.variants") == "ProductVariantConnection")
    #expect(Storefront.schema.objectTypeName(ofField: "Product.title") == nil)
  }

  @Test func anOperationWithoutSchemaHasNoPlan() {
    let operation = GraphQL.Operation<GraphQL.AbstractResponse>(
      kind: .query, name: nil, document: "{shop{name}}", variables: Array("{}".utf8))
    #expect(planner.plan(of: operation) == nil)
  }

  @Test func readsAttributesOfSchemaTable() {
    #expect(Storefront.schema.storageAttributes(ofType: "Cart")["policy"] == "transient")
    #expect(Storefront.schema.keyFields(ofType: "Cart", overrides: [:]) == ["id"])
    #expect(Storefront.schema.keyFields(ofType: "Cart", overrides: ["Cart": ["a"]]) == ["a"])
    #expect(Storefront.schema.keyFields(ofType: "Money", overrides: [:]) == [])
  }
}
