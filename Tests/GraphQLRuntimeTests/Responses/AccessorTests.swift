import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// Reading values through accessors.
@Suite struct AccessorTests {
  /// Every field of a product, in an order other than the selected one, with fields that were not
  /// selected.
  private static func product() throws -> Shop.Product {
    let operation = try Shop.buildQuery {
      $0.products {
        $0.available().big().code().codes().createdAt().day().id()
          .image { $0.url().height() }.image(alias: "none") { $0.url() }
          .images(alias: "two") { $0.height() }
          .legacy__id().matrix().meta().owner { $0.id() }.points().price().rating()
          .related { $0.id().onProduct { $0.title() } }.tags().title()
      }
    }.operation()
    return try operation.data(
      #"""
      {"extra":1,"products":[{"title":"Caf\u00e9 \ud83d\ude00","tags":["a","b\n"],
      "extra":{"deep":[1]},
      "related":[{"__typename":"Product","id":"p","title":"R"},null,{"__typename":"Article","id":7},
      {"__typename":"Alien","id":"x","title":false}],
      "rating":4.5,"price":"12.50","points":[[1,2],[3,4]],"owner":{"id":"o"},
      "meta":{"a":[null,1.50]},"matrix":[[1,null],[]],"legacy__id":null,
      "images__two":[{"height":1},{"height":null}],"image__none":null,
      "image":{"height":9,"url":"https://a.b/c?d=1#e"},"id":"gid://1","day":"2024-02-29",
      "createdAt":"2026-01-31T09:30:00.250+01:00","codes":["GREEN","PURPLE"],"code":"DEEP_RED",
      "big":123456789012345678901234567890,"\u0061vailable":true}]}
      """#
    ).products[0]
  }

  @Test func readsScalars() throws {
    let product = try Self.product()
    #expect(product.title == "Café 😀")
    #expect(product.available)
    #expect(product.rating == 4.5)
    #expect(product.id == "gid://1")
    #expect(product.legacy__id == nil)
    #expect(product.tags == ["a", "b\n"])
    #expect(product.matrix == [[1, nil], []])
  }

  @Test func readsCustomScalars() throws {
    let product = try Self.product()
    #expect(product.price == Decimal(string: "12.5"))
    #expect(product.createdAt == Date(timeIntervalSince1970: 1_769_848_200.25))
    #expect(product.day?.description == "2024-02-29")
    #expect(product.big?.description == "123456789012345678901234567890")
    #expect(product.points == [.init(x: 1, y: 2), .init(x: 3, y: 4)])
    #expect(product.meta == ["a": [nil, .number(try #require(JSON.Number(text: "1.50")))]])
    #expect(product.image?.url == URL(string: "https://a.b/c?d=1#e"))
  }

  @Test func readsEnums() throws {
    let product = try Self.product()
    #expect(product.code == .deepRed)
    #expect(product.codes == [.green, .unknownValue("PURPLE")])
    #expect(product.rawText(\.code) == "DEEP_RED")
    #expect(product.rawText(\.codes) == #"["GREEN","PURPLE"]"#)
    #expect(product.rawText(\.rating) == "4.5")
    #expect(product.rawText(\.legacy__id) == nil)
    #expect(product.rawText(\.image?.height) == "9")
  }

  @Test func readsObjects() throws {
    let product = try Self.product()
    #expect(product.image?.height == 9)
    #expect(product.owner?.id == "o")
    #expect(product.aliasedImages(alias: "two").map(\.height) == [1, nil])
    #expect(product.aliasedImage(alias: "none") == nil)
    #expect(product.value(\.image, alias: "none") == nil)
    #expect(product.value(\.images, alias: "two").count == 2)
    #expect(product.value(\.image?.height, alias: "none") == nil)
  }

  @Test func readsAbstractTypes() throws {
    let related = try #require(try Self.product().related)
    #expect(related.count == 4)
    #expect((related[0] as? Shop.Product)?.title == "R")
    #expect(related[1] == nil)
    #expect((related[2] as? Shop.Article)?.id == "7")
    #expect(related[3] is Shop.UnknownNode)
    #expect(related[3]?.__typename == "Alien")
    #expect(related[3]?.id == "x")
  }

  @Test func readsInterfaceFieldsNarrowedByObjects() throws {
    let operation = try Shop.buildQuery {
      $0.nodes(ids: []) { $0.onNamed { $0.owner { $0.id() } } }
    }.operation()
    #expect(operation.document.hasSuffix("...on Named{owner{__typename id}}}}"))
    let nodes = try operation.data(
      #"""
      {"nodes":[{"__typename":"Product","owner":{"__typename":"Article","id":"1"}},
      {"__typename":"Gadget","owner":{"__typename":"Robot","id":"2"}},{"__typename":"Alien"}]}
      """#
    ).nodes
    #expect((nodes[0] as? Shop.Product)?.owner?.id == "1")
    #expect((nodes[0] as? any Shop.Named)?.owner is Shop.Article)
    #expect(nodes[1] is Shop.UnknownNode && nodes[2] is Shop.UnknownNode)
  }

  @Test func readsUnknownUnionMembers() throws {
    let operation = try Shop.buildQuery {
      $0.search(query: "") { $0.onProduct { $0.title() }.onNode { $0.id() } }
    }.operation()
    let found = try operation.data(
      #"{"search":[{"__typename":"Alien"},{"__typename":"Product","title":"T","id":"1"}]}"#
    ).search
    #expect(found[0] is Shop.UnknownResult && found[0].__typename == "Alien")
    #expect((found[1] as? Shop.Product)?.title == "T")
  }

  @Test func returnsTypeNameWithoutSelection() throws {
    let data = try Shop.buildQuery { $0.flags() }.operation().data(#"{"flags":true}"#)
    #expect(data.__typename == "QueryRoot")
    #expect(data.debugDescription == #"QueryRoot {"flags":true}"#)
  }

  @Test func rawFieldsEqualTypedFields() throws {
    let product = try Self.product()
    #expect(product.field("title") as? String == product.title)
    #expect(product.field("available") as? Bool == true)
    #expect(product.field("rating") as? Double == product.rating)
    #expect(product.field("id") as? GraphQL.ID == product.id)
    #expect(product.field("price") as? Decimal == product.price)
    #expect(product.field("createdAt") as? Date == product.createdAt)
    #expect(product.field("code") as? String == "DEEP_RED")
    #expect(product.field("big") as? GraphQL.BigInt == product.big)
    #expect(product.field("points") as? [Shop.Point] == product.points)
    #expect(product.field("meta") as? GraphQL.JSON == product.meta)
    #expect(product.field("tags") as? [String] == product.tags)
    #expect((product.field("image") as? Shop.Image)?.url == product.image?.url)
    #expect((product.field("images__two") as? [Shop.Image])?.count == 2)
    let related = try #require(product.field("related") as? [Any])
    #expect(related[0] is Shop.Product && related[1] is NSNull && related[3] is Shop.UnknownNode)
    let matrix = try #require(product.field("matrix") as? [[Any]])
    #expect(matrix[0][0] as? Int == 1 && matrix[0][1] is NSNull)
    #expect(product.field("legacy__id") == nil && product.field("nothing") == nil)
    let extra = try #require(product.field("extra") as? GraphQL.AbstractResponse)
    #expect((extra.field("deep") as? [Any])?.first as? Int == 1)
  }

  @Test func readsResponsesFromConcurrentTasks() async throws {
    let product = try Self.product()
    let titles = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<16 { group.addTask { product.related?.first??.id == "p" ? product.title : nil } }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(titles == ["Café 😀"])
  }

  /// The keys of this response are those of the selection. So the search for a field starts at the
  /// one that was read last, through any object.
  @Test func readsFieldsInEveryOrder() async throws {
    let operation = try Shop.buildQuery { $0.products { $0.id().title().available().rating() } }
      .operation()
    let product = try operation.data(
      #"{"products":[{"id":"1","title":"A","available":true,"rating":2.5}]}"#
    ).products[0]
    let reads: [@Sendable () -> Bool] = [
      { product.id == "1" }, { product.title == "A" }, { product.available },
      { product.rating == 2.5 }, { !product.has(\.day) },
    ]
    let found = await withTaskGroup(of: Bool.self) { group in
      for first in reads {
        for second in reads {
          group.addTask { first() && second() && second() && first() }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: true, count: reads.count * reads.count))
  }
}
