import GraphQLCodeGen
import GraphQLSchema
import Testing

@Suite struct ScalarTests {
  @Test(
    arguments: [
      ("DateTime", "GraphQL.DateTime"), ("Date", "GraphQL.LocalDate"), ("URL", "GraphQL.URL"),
      ("URI", "GraphQL.URL"), ("Decimal", "GraphQL.Decimal"), ("BigInt", "GraphQL.BigInt"),
    ])
  func readyScalarsNeedNoConfiguration(scalar: String, type: String) throws {
    let module = try Generation("scalar \(scalar) type Query { a(x: \(scalar)): \(scalar)! }")
    #expect(module.text.contains("public var a: \(type) { _value(\"a\") }"))
    #expect(module.text.contains("x: \(type)? = nil"))
    #expect(module.text.contains(".init(\"\(scalar)\", \(type).self)"))
  }

  @Test func uploadIsAFileInArgumentsOnly() throws {
    let module = try Generation(
      "scalar Upload type Query { a(x: Upload!): Upload } input I { files: [Upload!]! }")
    #expect(module.text.contains("x: GraphQL.Upload"))
    #expect(module.text.contains("public init(files: [GraphQL.Upload])"))
    #expect(module.text.contains("public var a: GraphQL.JSON? { _value(\"a\") }"))
    #expect(!module.text.contains(".init(\"Upload\""))
    #expect(module.table.contains("$Upload"))
  }

  @Test(arguments: ["JSON", "Unmapped"])
  func unmappedScalarsUseJSON(scalar: String) throws {
    let module = try Generation("scalar \(scalar) type Query { a: [\(scalar)!] }")
    #expect(module.text.contains("public var a: [GraphQL.JSON]? { _value(\"a\") }"))
    #expect(module.text.contains("scalars: [])"))
  }

  @Test(
    arguments: [
      (ReadyScalar.string, "String"), (.int, "Int"), (.double, "Double"), (.bool, "Bool"),
      (.id, "GraphQL.ID"), (.dateTime, "GraphQL.DateTime"), (.date, "GraphQL.LocalDate"),
      (.url, "GraphQL.URL"), (.decimal, "GraphQL.Decimal"), (.json, "GraphQL.JSON"),
      (.bigInt, "GraphQL.BigInt"),
    ])
  func mapsScalarsToConfiguredReadyScalars(scalar: ReadyScalar, type: String) throws {
    let configuration = Configuration(scalars: ["X": Located(.ready(scalar))])
    let module = try Generation("scalar X type Query { a: X! }", configuration: configuration)
    #expect(module.text.contains("public var a: \(type) { _value(\"a\") }"))
  }

  @Test(
    arguments: [
      (ReadyScalar.string, "$X String"), (.int, "$X Int"), (.double, "$X Float"),
      (.bool, "$X Boolean"), (.id, "$X ID"), (.dateTime, "$X"), (.json, "$X"),
    ])
  func tableContainsBuiltInScalarOfMapping(scalar: ReadyScalar, line: String) throws {
    let configuration = Configuration(scalars: ["X": Located(.ready(scalar))])
    let module = try Generation("scalar X type Query { a: X }", configuration: configuration)
    #expect(module.table.contains(line))
    #expect(module.text.contains(".init(\"X\",") == (scalar == .dateTime))
  }

  @Test func importsModulesOfCustomTypes() throws {
    let configuration = Configuration(
      scalars: [
        "Money": Located(.custom(type: "Money", module: "MoneyKit")),
        "Colour": Located(.custom(type: "Paint.Colour", module: nil)),
      ])
    let module = try Generation(
      "scalar Money scalar Colour type Query { a: Money b: Colour! }", configuration: configuration)
    // With `InternalImportsByDefault`, an import is public only if a public declaration names a type of the module.
    #expect(
      module.file("API.swift")?
        .contains("\n\npublic import GraphQLRuntime\nimport MoneyKit\n\n") == true)
    #expect(module.text.contains("\n\nimport GraphQLRuntime\npublic import MoneyKit\n\n"))
    #expect(module.text.contains("public var a: Money? { _value(\"a\") }"))
    #expect(module.text.contains("public var b: Paint.Colour { _value(\"b\") }"))
  }

  @Test func qualifiesCustomTypeHiddenByGeneratedType() throws {
    let configuration = Configuration(
      scalars: ["Cash": Located(.custom(type: "Money", module: "MoneyKit"))])
    let module = try Generation(
      "scalar Cash type Money { a: Cash! }", configuration: configuration)
    #expect(module.text.contains("public var a: MoneyKit.Money { _value(\"a\") }"))
  }

  /// A type of the schema that has the name of the module hides it.
  @Test(arguments: ["Kit", "Money"])
  func aCustomTypeThatCannotBeNamedIsAnError(module name: String) throws {
    let configuration = Configuration(
      scalars: ["Cash": Located(.custom(type: "Money", module: name))])
    let found = try diagnostics {
      _ = try Generation(
        "scalar Cash type Query { a: Cash! } type Money { a: Int } type Kit { a: Int }",
        configuration: configuration)
    }
    #expect(found.map(\.code) == ["HiddenScalarType"])
    #expect(
      found.first?.suggestion
        == "Give one of the generated types another name with `rename` or `namespace`.")
  }
}
