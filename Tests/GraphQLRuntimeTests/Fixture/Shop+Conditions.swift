import GraphQLRuntime

// A typed operation that selects the same fields with conditions and without them, in the form of generated code.

nonisolated public struct ConditionsQuery: GraphQL.TypedQuery {
  public typealias Response = Data
  public let _variables: GraphQL.Variables

  public init(long: Bool) {
    var variables = GraphQL.Variables(Data.self)
    variables._add("long", long)
    _variables = variables
  }

  nonisolated public struct Data: GraphQL.SelectedRoot, Hashable {
    public static func _document() -> GraphQL.DocumentText {
      GraphQL.DocumentText(
        schema: Shop.schema,
        text:
          "query Conditions($long:Boolean!){products(first:1)@include(if:$long){...Details}products(first:1){id images(first:2){height}...Sizes}}fragment Details on Product{title price}fragment Sizes on Product{images(first:2)@include(if:$long){url}}",
        hash: "", shape: 0x75C5_EADF)
    }
    let _fields: GraphQL.Fields
    public var products: [Product] { _fields.list(0) }

    nonisolated public struct Product: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var details: Details? { _fields.oneOpt(0) }
      public var id: GraphQL.ID { _fields.id(1) }
      public var images: [Image] { _fields.list(2) }
      public var sizes: Sizes { _fields.one(3) }

      nonisolated public struct Image: GraphQL.SelectedObject, Hashable {
        let _fields: GraphQL.Fields
        public var height: Int? { _fields.intOpt(0) }
      }
    }
  }

  nonisolated public struct Details: GraphQL.SelectedObject, Hashable {
    let _fields: GraphQL.Fields
    public var title: String? { _fields.stringOpt(0) }
    public var price: GraphQL.Decimal { _fields.value(1) }
  }

  nonisolated public struct Sizes: GraphQL.SelectedObject, Hashable {
    let _fields: GraphQL.Fields
    public var images: [Image]? { _fields.listOpt(0) }

    nonisolated public struct Image: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var url: GraphQL.URL { _fields.value(0) }
    }
  }
}

/// The conformance that SelectedDocumentCodingTests needs.
nonisolated extension ConditionsQuery.Data: Codable {}
