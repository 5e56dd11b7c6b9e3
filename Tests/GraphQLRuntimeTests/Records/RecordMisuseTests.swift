import Testing

@testable import GraphQLRuntime

/// Types that are written by hand, in the place of generated ones, stop the program instead of being read by a layout
/// that they do not have.
@Suite struct RecordMisuseTests {
  private struct WithoutDocument: GraphQL.ResponseRoot {
    let document = ""
  }

  private struct WithAnotherProperty: GraphQL.SelectedRoot {
    static func _document() -> GraphQL.DocumentText { ConditionsQuery.Data._document() }
    let _fields: GraphQL.Fields
    let count = 1
  }

  private static func data() throws -> ScreenQuery.Data {
    try ScreenQuery(long: false, text: "").operation().data(
      #"{"products":[],"search":[],"node":null,"nodes":[],"named":{"id":"x","legacy":null,"related":[null,{"__typename":"Article","id":"r"}]}}"#
    )
  }

  @Test func aRootWithoutADocument() async {
    await #expect(processExitsWith: .failure) { _ = WithoutDocument().rootHandle }
  }

  @Test func aRootWithAnotherStoredProperty() async {
    await #expect(processExitsWith: .failure) {
      _ = WithAnotherProperty(_fields: try Self.data()._fields).rootHandle
    }
  }

  @Test func aClassForTheResponseToADocument() async {
    await #expect(processExitsWith: .failure) {
      _ = Shop.QueryRoot(root: try Self.data().rootHandle)
    }
  }

  @Test func listsOfAnotherType() async throws {
    let fields = try #require(try Self.data().named)._fields
    let related: [ScreenQuery.Data.Nodes?]? = fields.lists(3, of: ScreenQuery.Data.Nodes.self)
    #expect(related?.map { $0?.id } == [nil, "r"])
    await #expect(processExitsWith: .failure) {
      let fields = try #require(try Self.data().named)._fields
      let texts: [String?]? = fields.lists(3, of: ScreenQuery.Data.Nodes.self)
      print(texts ?? [])
    }
  }

  @Test func anOperationWithAnotherStoredProperty() async {
    struct Operation: GraphQL.TypedQuery {
      typealias Response = ConditionsQuery.Data
      let _variables = GraphQL.Variables(ConditionsQuery.Data.self)
      let count = 1
    }
    await #expect(processExitsWith: .failure) { _ = try Operation().operation() }
  }
}
