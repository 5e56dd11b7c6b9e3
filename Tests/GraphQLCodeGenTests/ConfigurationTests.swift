import GraphQLCodeGen
import GraphQLSchema
import Testing

@Suite struct ConfigurationTests {
  private func parse(_ json: String) throws -> Configuration {
    try Configuration(parsing: Source(name: "graphql-generator.json", text: json))
  }

  /// The errors in a configuration: location, code, message and suggestion, a line each.
  private func problems(_ json: String) throws -> [String] {
    try diagnostics { _ = try parse(json) }.map { diagnostic in
      let place = diagnostic.position.map { "\($0.source):\($0.line):\($0.column)" } ?? "-"
      let suggestion = diagnostic.suggestion.map { " " + $0 } ?? ""
      return "\(place) \(diagnostic.code): \(diagnostic.message)\(suggestion)"
    }
  }

  @Test func emptyConfigurationIsTheDefault() throws {
    #expect(try parse("{}") == Configuration())
    #expect(Configuration().namespace == "API")
    #expect(Configuration().layout == .files(4))
  }

  @Test func byteOrderMarkIsSkipped() throws {
    #expect(try parse("\u{FEFF}{ \"namespace\": \"Shop\" }").namespace == "Shop")
    #expect(try problems("\u{FEFF}{ \"name\": 1 }").first?.contains("json:1:3 UnknownKey") == true)
  }

  @Test func everyKeyIsRead() throws {
    let configuration = try parse(
      """
      {
        "namespace": "Shop", "access": "package", "classes": "open",
        "scalars": {
          "HTML": "String",
          "Money": { "type": "Money", "import": "MoneyKit" },
          "Colour": { "type": "Paint.Colour" }
        },
        "types": {
          "Product": {
            "key": ["shop", "id"], "policy": "sensitive", "maxAge": 60, "version": "rev",
            "delete": { "variants": "cascade" }, "referrers": "delete", "lists": { "variants": "append" },
            "queryable": ["title", "price.amount"], "inverses": { "variants": "product" },
            "supportedOperations": ["Save"]
          }
        },
        "allow": ["Product", "Query.products"], "deny": ["Product.secret"],
        "layout": { "files": 7 }, "builders": false, "schema": ["a.graphql", "b.graphql"], "output": "Out"
      }
      """)
    let policy = TypePolicy(
      key: ["shop", "id"], policy: .sensitive, maxAge: 60, version: "rev",
      delete: ["variants": .cascade], referrers: .delete,
      lists: ["variants": .append], queryable: ["title", "price.amount"],
      inverses: ["variants": "product"], supportedOperations: ["Save"])
    #expect(
      configuration
        == Configuration(
          namespace: "Shop", access: .package, classes: .open,
          scalars: [
            "HTML": Located(.ready(.string)),
            "Money": Located(.custom(type: "Money", module: "MoneyKit")),
            "Colour": Located(.custom(type: "Paint.Colour", module: nil)),
          ],
          types: ["Product": Located(policy)],
          allow: [
            Located(ListedElement(type: "Product")),
            Located(ListedElement(type: "Query", field: "products")),
          ],
          deny: [Located(ListedElement(type: "Product", field: "secret"))],
          layout: .files(7), builders: false, schema: ["a.graphql", "b.graphql"], output: "Out"))
    #expect(configuration.deny.first?.position?.line == 16)
  }

  @Test func parsesSingleSchemaAndFilePerType() throws {
    let configuration = try parse(#"{"schema": "schema.json", "layout": {"perType": true}}"#)
    #expect(configuration.schema == ["schema.json"])
    #expect(configuration.layout == .perType)
  }

  @Test func prunedModuleMayBeInProducts() throws {
    let configuration = try parse(
      #"{"pruning": {"products": ["ShopAPI"], "usage": ["App", "../Other"]}}"#)
    #expect(configuration.pruning == .usage(["App", "../Other"]))
  }

  @Test(
    arguments: [
      (
        "{\n  \"namspace\": \"A\"\n}",
        "2:3 UnknownKey: There is no key \"namspace\" here. Did you mean \"namespace\"?"
      ),
      (
        #"{"types": {"A": {"polcy": 1}}}"#,
        "1:18 UnknownKey: There is no key \"polcy\" here. Did you mean \"policy\"?"
      ),
      (
        #"{"layout": {"zebra": 1}}"#,
        "1:13 UnknownKey: There is no key \"zebra\" here. The keys are `files`, `perType`."
      ),
      (
        #"{"access": "pubic"}"#,
        "1:12 UnknownValue: \"pubic\" is not a valid value here. Did you mean \"public\"?"
      ),
      (
        #"{"scalars": {"A": "Decimla"}}"#,
        "1:19 UnknownValue: \"Decimla\" is not a valid value here. Did you mean \"Decimal\"?"
      ),
      ("[]", "1:1 WrongType: An object is expected here."),
      (#"{"namespace": 1}"#, "1:15 WrongType: A string is expected here."),
      (#"{"allow": "A"}"#, "1:11 WrongType: A list is expected here."),
      (#"{"layout": {"perType": 1}}"#, "1:24 WrongType: `true` or `false` is expected here."),
      (
        #"{"layout": {"files": 65}}"#,
        "1:22 InvalidLayout: The number of files must be from 1 to 64."
      ),
      (
        #"{"layout": {"files": 1, "perType": true}}"#,
        "1:12 InvalidLayout: A layout must have either `files` or `perType`."
      ),
      (
        #"{"types": {"A": {"maxAge": -1}}}"#,
        "1:28 InvalidMaxAge: A non-negative number of seconds is expected."
      ),
      (
        #"{"namespace": "A", "access": "public", "namespace": "B"}"#,
        "1:40 DuplicateKey: The key \"namespace\" is here twice."
      ),
      (
        #"{"rename": {"P": "A", "P": "B"}}"#, "1:23 DuplicateKey: The key \"P\" is here twice."
      ),
      (
        #"{"namespace": "class"}"#,
        "1:15 InvalidNamespace: \"class\" cannot be the name of a Swift enum."
      ),
      (
        #"{"scalars": {"A": {"type": "Int; evil()"}}}"#,
        "1:28 InvalidScalarType: \"Int; evil()\" is not the name of a Swift type."
      ),
      (
        #"{"scalars": {"A": {"type": "A", "import": "A.B"}}}"#,
        "1:43 InvalidScalarType: \"A.B\" is not the name of a module."
      ),
      (
        #"{"scalars": {"A": {}}}"#,
        "1:19 InvalidScalarType: The Swift type is missing: `type`."
      ),
      (
        #"{"deny": ["A.b.c"]}"#,
        "1:11 InvalidCoordinate: \"A.b.c\" is neither a type like `Product` nor a field like"
          + " `Product.title`."
      ),
      (
        #"{"naming": "snake"}"#,
        "1:12 UnknownValue: \"snake\" is not a valid value here. The values are `camelCase`,"
          + " `asWritten`."
      ),
      (
        #"{"acronyms": ["URL"]}"#,
        "1:15 InvalidAcronym: \"URL\" is not a word of lower-case letters like `url`."
      ),
      (
        #"{"rename": {"A.b.c": "d"}}"#,
        "1:13 InvalidCoordinate: \"A.b.c\" is not a coordinate like `Product`, `Product.title`,"
          + " `Query.products(first:)`, `@cache` or `@cache(maxAge:)`."
      ),
      (
        #"{"rename": {"A.b": "c d"}}"#,
        "1:20 InvalidSwiftName: \"c d\" cannot be a name in Swift."
      ),
      (
        #"{"rename": {"A.b": "self"}}"#,
        "1:20 InvalidSwiftName: \"self\" cannot be a name in Swift."
      ),
      (
        #"{"pruning": {"products": ["A"]}}"#,
        "1:13 InvalidPruning: At least one folder of sources is needed."
      ),
      (
        #"{"pruning": {"usage": []}}"#,
        "1:23 InvalidPruning: At least one folder of sources is needed."
      ),
      (
        #"{"pruning": {"usage": ["A"], "products": "B"}}"#,
        "1:42 WrongType: A list is expected here."
      ),
      (#"{"types": {"A": {"version": "a b"}}}"#, "1:29 InvalidName: \"a b\" is not a name."),
    ])
  func reportsErrorsWithLocations(json: String, problem: String) throws {
    #expect(try problems(json) == ["graphql-generator.json:" + problem])
  }

  @Test func reportsAllErrors() throws {
    #expect(try problems(#"{"a": 1, "access": 2, "deny": [3]}"#).count == 3)
  }

  @Test(arguments: ["", "{", "{]", "<html>", "{\"a\": 1} x"])
  func reportsLocationOfInvalidJSON(json: String) throws {
    let found = try diagnostics { _ = try parse(json) }
    #expect(found.map(\.code) == ["JSON"])
    #expect(found.first?.position?.line == 1)
  }

  @Test(
    "A configuration that does not fit the schema",
    arguments: [
      (#"{"types": {"Prodct": {}}}"#, "UnknownType", "Did you mean \"Product\"?"),
      (#"{"types": {"Node": {}}}"#, "NotAnObject", nil),
      (
        #"{"types": {"Product": {"delete": {"nodee": "deny"}}}}"#, "UnknownField",
        "Did you mean \"node\"?"
      ),
      (#"{"types": {"Product": {"delete": {"name": "deny"}}}}"#, "UnknownField", nil),
      (#"{"types": {"*": {"key": ["id"]}}}"#, "InvalidDefaultPolicy", nil),
      (#"{"types": {"Product": {"key": ["idd"]}}}"#, "UnknownField", "Did you mean \"id\"?"),
      (#"{"types": {"Product": {"key": ["tags"]}}}"#, "UnsuitableField", nil),
      (#"{"types": {"Product": {"key": ["node"]}}}"#, "UnsuitableField", nil),
      (#"{"types": {"Product": {"key": ["arg"]}}}"#, "UnsuitableField", nil),
      (#"{"types": {"Product": {"version": "x"}}}"#, "UnknownField", nil),
      (#"{"types": {"Product": {"queryable": ["idd"]}}}"#, "UnknownField", "Did you mean \"id\"?"),
      (#"{"types": {"Product": {"queryable": [""]}}}"#, "UnknownField", nil),
      (#"{"types": {"Product": {"queryable": ["tags.x"]}}}"#, "UnsuitableField", nil),
      (#"{"types": {"Product": {"inverses": {"id": "id"}}}}"#, "UnsuitableInverse", nil),
      (
        #"{"types": {"Product": {"key": ["id"]}}, "deny": ["Product.id", "Node.id"]}"#,
        "UnsuitableField", nil
      ),
      (#"{"scalars": {"Mony": "String"}}"#, "UnknownScalar", "Did you mean \"Money\"?"),
      (#"{"scalars": {"ID": "String"}}"#, "BuiltInScalar", nil),
      (
        #"{"scalars": {"Money": {"type": "Product"}}}"#, "HiddenScalarType",
        "Name its module with `import`, or give it another name."
      ),
    ] as [(String, String, String?)])
  func rejectsConfigurationThatContradictsSchema(json: String, code: String, suggestion: String?)
    throws
  {
    let configuration = try parse(json)
    let found = try diagnostics {
      _ = try Generation(
        """
        scalar Money
        interface Node { id: ID! name: String }
        type Product implements Node {
          id: ID! name: String tags: [String!]! node: Node arg(a: Int!): Int price: Money
        }
        """, configuration: configuration)
    }
    .filter { $0.severity == .error }
    #expect(found.map(\.code) == [code])
    #expect(found.first?.position?.source == "graphql-generator.json")
    #expect(found.first?.suggestion == suggestion)
  }

  @Test(arguments: [
    "", "1A", "a b", "Swift", "GraphQL", "Self", "class", "../x", "A\n", "Data", "Response",
  ])
  func rejectsInvalidNamespaces(namespace: String) throws {
    let found = try diagnostics {
      _ = try Generation("", configuration: Configuration(namespace: namespace))
    }
    #expect(found.map(\.code) == ["InvalidNamespace"])
  }
}
