import GraphQLRuntime
import Testing

/// Responses that a server may not send (specification: 6.4.3 Value Completion).
@Suite struct SchemaViolationTests {
  /// A selection with one field of each kind, and the values of the response.
  private static let valid = [
    "available": "true", "big": "\"1\"", "code": "\"GREEN\"", "codes": "[]",
    "createdAt": "\"2026-01-31T09:30:00Z\"", "day": "null", "id": "\"1\"", "matrix": "[[1]]",
    "image": "{\"url\":\"/a\",\"height\":1}", "points": "[[1,2]]", "price": "1", "rating": "1.5",
    "related": "[{\"__typename\":\"Product\",\"id\":\"1\"}]", "tags": "[\"a\"]", "title": "\"T\"",
  ]

  private static func violation(_ changed: [String: String?]) throws -> GraphQL.SchemaViolation? {
    let operation = try Shop.buildQuery {
      $0.products {
        $0.available().big().code().codes().createdAt().day().id().matrix()
          .image { $0.url().height() }.points().price().rating().related { $0.id() }.tags().title()
      }
    }.operation()
    let fields = valid.merging(changed.compactMapValues(\.self)) { $1 }
      .filter { changed[$0.key] != .some(nil) }
    let members = fields.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",")
    do {
      _ = try operation.data("{\"products\":[{\(members)}]}")
      return nil
    } catch GraphQL.ResponseFailure.schemaViolation(let violation, _) {
      return violation
    }
  }

  @Test(arguments: ["Article", "Dragon", "product", ""])
  func anObjectOfAnObjectTypeHasItsName(name: String) throws {
    let operation = try Shop.buildQuery { $0.products { $0.__typename(alias: "kind").id() } }
      .operation()
    let violation = #expect(throws: GraphQL.ResponseFailure.self) {
      try operation.data(#"{"products":[{"__typename__kind":"\#(name)","id":"1"}]}"#)
    }
    guard case .schemaViolation(let violation, _)? = violation else { return }
    #expect(violation.message == "expected `Product`, found `\(name)`")
  }

  @Test func acceptsValidResponse() throws {
    #expect(try Self.violation([:]) == nil)
  }

  @Test(arguments: [
    ("available", "1", "available", "expected true or false, found a number"),
    ("available", "null", "available", "null where the schema has Boolean!"),
    ("big", "1.5", "big", "expected an integer"),
    ("code", "1", "code", "expected a string, found a number"),
    ("codes", "null", "codes", "null where the schema has [Color!]!"),
    ("codes", "[null]", "codes[0]", "null where the schema has [Color!]!"),
    ("codes", "\"GREEN\"", "codes", "expected a list, found a string"),
    (
      "createdAt", "\"2026-02-30T00:00:00Z\"", "createdAt",
      "expected a date and time in the format of RFC 3339"
    ),
    (
      "createdAt", "5", "createdAt",
      "expected a date and time in the format of RFC 3339 in a string"
    ),
    ("day", "\"2023-02-29\"", "day", "expected a date in the format YYYY-MM-DD"),
    ("id", "1.5", "id", "expected an ID, found a number that is not a 64-bit integer"),
    ("id", "true", "id", "expected an ID, found a boolean"),
    ("matrix", "[null]", "matrix[0]", "null where the schema has [[Int]!]"),
    ("matrix", "[[1],[2,2147483648]]", "matrix[1][1]", "expected a 32-bit integer"),
    ("matrix", "[[1.5]]", "matrix[0][0]", "expected a 32-bit integer"),
    ("matrix", "[1]", "matrix[0]", "expected a list, found a number"),
    ("points", "[[1]]", "points[0]", "expected a point as [x, y]"),
    ("price", "\"12abc\"", "price", "expected a decimal number"),
    ("rating", "\"1\"", "rating", "expected a number, found a string"),
    ("rating", "1e400", "rating", "the number is too large for a Double"),
    ("related", "[{\"id\":\"1\"}]", "related[0]", "the response lacks `__typename`"),
    (
      "related", "[{\"__typename\":1,\"id\":\"1\"}]", "related[0].__typename",
      "expected a type's name, found a number"
    ),
    ("related", "[{\"__typename\":\"Alien\"}]", "related[0]", "the response lacks `id`"),
    ("related", "[[]]", "related[0]", "expected an object, found a list"),
    ("tags", "[1]", "tags[0]", "expected a string, found a number"),
    ("title", "{}", "title", "expected a string, found an object"),
    ("image", "[]", "image", "expected an object, found a list"),
    ("image", "{\"height\":1}", "image", "the response lacks `url`"),
    ("image", "{\"height\":1,\"url\":\"a b\"}", "image.url", "expected a URL"),
    (
      "image", "{\"height\":-2147483649,\"url\":\"/\"}", "image.height",
      "expected a 32-bit integer"
    ),
  ])
  func rejectsInvalidValues(_ field: String, _ value: String, _ path: String, _ message: String)
    throws
  {
    let violation = try #require(try Self.violation([field: value]))
    #expect("\(violation.path.last!)" == path.split { ".[]".contains($0) }.last.map(String.init))
    #expect(violation.description.hasPrefix("products[0].\(path): "))
    #expect(violation.message == message)
  }

  @Test func violationContainsTypeAndField() throws {
    let violation = try #require(try Self.violation(["image": "{\"url\":null,\"height\":1}"]))
    #expect(violation.typeName == "Image" && violation.fieldName == "url")
    #expect(
      violation.description
        == "products[0].image.url: Image.url: null where the schema has URL!")
  }

  @Test func missingFieldsAreViolations() throws {
    let violation = try #require(try Self.violation(["title": nil]))
    #expect(violation.description == "products[0]: Product.title: the response lacks `title`")
  }

  @Test func checksAllRepeatedKeysAndUsesLast() throws {
    let operation = try Shop.buildQuery { $0.flags().products { $0.id() } }.operation()
    let data = try operation.data(#"{"flags":true,"products":[],"flags":false}"#)
    #expect(data.flags == false)
    for text in [
      #"{"flags":1,"products":[],"flags":false}"#, #"{"flags":true,"products":[],"flags":1}"#,
      #"{"flags":true,"products":[],"fl\u0061gs":"x"}"#,
    ] {
      #expect(throws: GraphQL.ResponseFailure.self) { try operation.data(text) }
    }
  }

  @Test func keysAreComparedByTheirBytes() throws {
    // U+212A is canonically equivalent to the letter K. A name may contain K, but not U+212A.
    let operation = try Shop.buildQuery { $0.flags(alias: "K") }.operation()
    #expect(throws: GraphQL.ResponseFailure.self) {
      try operation.data("{\"flags__\u{212A}\":true}")
    }
    #expect(try operation.data(#"{"flags__\u004b":true}"#).aliasedFlags(alias: "K") == true)
  }

  @Test func acceptsIntegersInAnyNotation() throws {
    let operation = try Shop.buildQuery { $0.products { $0.matrix().id() } }.operation()
    let data = try operation.data(
      #"{"products":[{"matrix":[[1.0,1e2,-0,-2147483648,2147483647]],"id":12e1}]}"#)
    #expect(data.products[0].matrix == [[1, 100, 0, -2_147_483_648, 2_147_483_647]])
    #expect(data.products[0].id == "120")
  }

  @Test func checksWideObjectsInLinearTime() throws {
    let operation = try Shop.buildQuery { $0.products { $0.id() }.flags() }.operation()
    let extra = (0..<100_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
    let time = try ContinuousClock().measure {
      let data = try operation.data(
        "{\(extra),\"flags\":true,\"products\":[{\(extra),\"id\":\"1\"}]}")
      #expect(data.flags == true && data.products[0].id == "1")
    }
    #expect(time < .seconds(10))
  }
}
