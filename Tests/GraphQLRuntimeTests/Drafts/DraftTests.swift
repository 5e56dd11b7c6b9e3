import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@Suite struct DraftTests {
  private typealias Draft = GraphQL.Draft<Shop.Product>

  @Test func valuesAreWrittenAndReadByKeyPath() throws {
    var draft = Draft()
    draft[\.id] = "p1"
    draft[\.title] = "Hat"
    draft[\.available] = true
    draft[\.price] = 9.5
    draft[\.code] = .green
    draft[\.codes] = [.green, .unknownValue("NEW")]
    draft[\.tags] = ["a", "b"]
    draft[\.matrix] = [[1, nil], []]
    draft[\.points] = [Shop.Point(x: 1, y: 2)]
    draft[\.createdAt] = Date(timeIntervalSince1970: 0)
    draft[\.meta] = ["a": [1, nil]]
    #expect(draft.problems == [])
    #expect(draft[\.title] == "Hat" && draft[\.price] == 9.5 && draft[\.available] == true)
    #expect(draft[\.rating] == nil && !draft.has(\.rating) && draft.has(\.codes))
    let product = try Shop.Product(draft)
    #expect(product.id == "p1" && product.title == "Hat" && product.available)
    #expect(product.price == 9.5 && product.codes == [.green, .unknownValue("NEW")])
    #expect(product.matrix == [[1, nil], []] && product.points == [Shop.Point(x: 1, y: 2)])
    #expect(product.createdAt == Date(timeIntervalSince1970: 0) && product.meta == ["a": [1, nil]])
    #expect(!product.has(\.rating))
  }

  /// A path through an element of a list would replace the list.
  @Test func aPathThroughAListIsAProblem() throws {
    var draft = Draft()
    draft[\.images] = [GraphQL.Draft { $0[\.height] = 1 }]
    let before = draft.json
    #expect(before == ["images": [["height": 1]]])
    draft[\.images[0].height] = 2
    #expect(draft.json == before)
    #expect(
      draft.problems.map(\.message) == [
        "the path leads through the list `images`; write the list as a whole"
      ])
  }

  @Test func theTypeIsOneThatTheObjectCanHave() throws {
    var draft = Draft()
    draft[\.__typename] = "Image"
    #expect(draft.problems.count == 1 && draft.json == [:])
    draft[\.__typename] = "Product"
    #expect(draft.problems == [] && draft.json == ["__typename": "Product"])
  }

  @Test func nestedObjectsAreCreatedOnThePath() throws {
    var draft = GraphQL.Draft<Shop.QueryRoot>()
    draft[\.product?.image?.height] = 3
    draft[\.product?.title] = "Hat"
    #expect(draft.json == ["product": ["image": ["height": 3], "title": "Hat"]])
    #expect(draft[\.product?.image?.height] == 3)
    draft.remove(\.product?.image?.height)
    draft.remove(\.product?.owner?.title)
    #expect(draft.json == ["product": ["image": [:], "title": "Hat"]])
    #expect(try Shop.QueryRoot(draft).product?.title == "Hat")
  }

  @Test func nilIsNullInANullableField() throws {
    var draft = Draft { $0[\.title] = "Hat" }
    draft[\.title] = nil
    draft[\.image] = nil
    #expect(draft.json == ["title": nil, "image": nil] && draft.has(\.title))
    #expect(try Shop.Product(draft).image == nil)
    draft[\.available] = true
    draft[\.available] = nil
    #expect(!draft.has(\.available) && draft.problems == [])
    draft.remove(\.title)
    #expect(draft.json == ["image": nil])
  }

  @Test func objectsAndListsAreDrafts() throws {
    var draft = Draft()
    draft[\.images].append(GraphQL.Draft { $0[\.height] = 1 })
    draft[\.images].append(GraphQL.Draft { $0[\.height] = 2 })
    draft[\.images][0][\.url] = URL(string: "https://e.test/1")!
    draft[\.image] = GraphQL.Draft { $0[\.height] = 3 }
    draft[\.image]?[\.height] = 4
    draft[\.related] = [try Shop.Article(fields: ["id": "a"]), nil]
    let product = try Shop.Product(draft)
    #expect(product.images.map(\.height) == [1, 2] && product.image?.height == 4)
    #expect(product.images[0].url.absoluteString == "https://e.test/1")
    #expect((product.related?[0] as? Shop.Article)?.id == "a")
    #expect(draft[\.images].map { $0[\.height] } == [1, 2])
    #expect(draft[\.related]??.count == 2)
  }

  @Test func anElementOfAListCanBeNull() throws {
    var draft = Draft()
    #expect(draft[\.thumbnails] == nil)
    draft[\.thumbnails] = [GraphQL.Draft { $0[\.height] = 1 }, nil]
    #expect(draft[\.thumbnails]?.map { $0?[\.height] } == [1, nil])
    draft[\.thumbnails]?[0]?[\.height] = 2
    draft[\.thumbnails]?.append(nil)
    #expect(draft.json == ["thumbnails": [["height": 2], nil, nil]] && draft.problems == [])
    let product = try Shop.Product(draft)
    #expect(product.thumbnails?.map { $0?.height } == [2, nil, nil])
    draft[\.thumbnails] = nil
    #expect(draft.json == ["thumbnails": nil] && draft[\.thumbnails] == nil)
  }

  @Test func aDefaultIsForBindings() {
    var draft = Draft()
    #expect(draft[\.available, default: false] == false && !draft.has(\.available))
    draft[\.available, default: false].toggle()
    #expect(draft[\.available] == true)
  }

  @Test func problemsAreKeptAndThrown() throws {
    var draft = Draft { $0[\.title] = "Hat" }
    draft[\.price] = Decimal.nan
    draft[\.title.debugDescription.count] = 1
    var image = GraphQL.Draft<Shop.Image>()
    image[\.height] = 1 << 40
    draft[\.images] = [GraphQL.Draft<Shop.Image>(), image]
    #expect(
      draft.problems.map(\.description) == [
        "price: Product.price: a Decimal that is not a number cannot be sent",
        "data: Product: the key path is not a path of fields: its value is computed from `title`; "
          + "use a chain of generated properties",
        "images[1].height: Image.height: expected a 32-bit integer",
      ], "\(draft.problems)")
    // A value with a problem is not written.
    #expect(draft.json == ["title": "Hat"])
    #expect(throws: GraphQL.SchemaViolation.self) { try Shop.Product(draft) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(draft) }
    // The other values can be read, and another value replaces the problem.
    #expect(draft[\.title] == "Hat" && draft[\.title, default: ""] == "Hat")
    draft[\.price] = 2
    draft[\.images] = [GraphQL.Draft { $0[\.height] = 1 }]
    #expect(draft.problems.count == 1 && draft[\.price] == 2)
    #expect(draft.problems.first?.message.contains("key path") == true)
  }

  @Test func aDraftContinuesAnObject() throws {
    let product = try Shop.Product(fields: ["title": "Hat", "image": ["height": 1]])
    var draft = try Draft(editing: product)
    #expect(try Shop.Product(draft) == product)
    draft[\.title] = "Cap"
    #expect(try Shop.Product(draft).title == "Cap" && product.title == "Hat")
    #expect(draft != (try Draft(editing: product)))
    let coded = try JSONDecoder().decode(Draft.self, from: JSONEncoder().encode(draft))
    #expect(coded == draft)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Draft.self, from: Data(#"{"titel":1}"#.utf8))
    }
    #expect(throws: GraphQL.SchemaViolation.self) { try Draft(json: ["title": 1]) }
  }

  @Test func theDataOfAnOperationIsMadeFromADraft() throws {
    var draft = GraphQL.Draft<Shop.QueryRoot>()
    draft[\.products] = [GraphQL.Draft { $0[\.id] = "1" }]
    #expect(throws: GraphQL.FragmentMismatch.self) {
      try ConditionsQuery.Data(draft, variables: ["long": false])
    }
    draft[\.products][0][\.images] = [GraphQL.Draft { $0[\.height] = 2 }]
    let data = try ConditionsQuery.Data(draft, variables: ["long": false])
    #expect(data.products[0].images[0].height == 2)
  }
}
