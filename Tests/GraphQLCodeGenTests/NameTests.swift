import GraphQLCodeGen
import Testing

@Suite struct NameTests {
  @Test(
    "Fields as written keep their names where Swift lets them",
    arguments: [
      ("class", "`class`", "`class`"), ("in", "`in`", "`in`"), ("nil", "`nil`", "`nil`"),
      ("init", "init_", "init_"), ("self", "self_", "self_"), ("Self", "Self_", "Self_"),
      ("Type", "Type_", "Type_"), ("Protocol", "Protocol_", "Protocol_"), ("_", "__", "__"),
      ("description", "description", "description"), ("hash", "hash", "hash"),
      ("value", "value", "value"), ("has", "has", "has"), ("read", "read", "read"),
      ("schema", "schema", "schema"), ("null", "null", "null"), ("spread", "spread", "spread"),
      ("hashValue", "hashValue", "hashValue_"), ("customMirror", "customMirror", "customMirror_"),
      ("debugDescription", "debugDescription", "debugDescription_"),
      ("_string", "_string", "_string_"), ("_field", "_field_", "_field"),
      ("_leading", "_leading", "_leading"), ("snake_case", "snake_case", "snake_case"),
    ])
  func convertsFieldNames(name: String, method: String, property: String) throws {
    let module = try Generation("type Query { \(name): Int }", configuration: .asWritten)
    #expect(module.text.contains("public func \(method)(alias: String? = nil) -> QueryQuery {"))
    #expect(module.text.contains("_field(0, alias)"))
    #expect(module.text.contains("public var \(property): Int? { _intOpt(\"\(name)\") }"))
  }

  @Test func renamedFieldAvoidsExistingFieldName() throws {
    let module = try Generation("type Query { init: Int init_: Int }")
    #expect(module.text.contains("public var init__: Int? { _intOpt(\"init\") }"))
    #expect(module.text.contains("public var init_: Int? { _intOpt(\"init_\") }"))
  }

  @Test func renamesFieldThatConflictsWithIncludeMethod() throws {
    let module = try Generation("type Query { include(if: Boolean!): Int skip: Int }")
    #expect(
      module.text.contains("func include_(alias: String? = nil, if if_: Bool) -> QueryQuery {"))
    #expect(module.text.contains("func skip(alias: String? = nil) -> QueryQuery {"))
  }

  @Test func renamesConditionThatConflictsWithField() throws {
    let module = try Generation(
      "interface I { onA: A } type A implements I { onA: A }")
    #expect(
      module.text.contains(
        "func onA(alias: String? = nil, _ subfields: (AQuery) -> Void) -> IQuery"))
    #expect(module.text.contains("func onA_(_ subfields: (AQuery) -> Void) -> IQuery"))
  }

  @Test(
    "Types that would hide what generated code mentions are renamed",
    arguments: [
      "Self", "Type", "Protocol", "Any", "Swift", "GraphQL", "_Query", "_Response", "Shop",
      "schema", "_schema", "buildQuery",
    ])
  func renamesTypesThatHideGeneratedNames(type: String) throws {
    let module = try Generation(
      "type \(type) { a: Int } type Query { x: \(type) }", configuration: .asWritten)
    #expect(module.declaration("public final class \(type)_: _Response") != nil)
    #expect(module.declaration("public final class \(type)Query: _Query") != nil)
    #expect(module.text.contains("public var x: \(type)_? { _oneOpt(\"x\") }"))
    #expect(module.table.contains("@\(type)"))
  }

  @Test(arguments: ["URL", "Error", "Storefront", "Optional", "Input"])
  func keepsTypeNamesWithoutConflict(type: String) throws {
    let module = try Generation("type \(type) { a: Int } type Query { x: \(type)! }")
    #expect(module.text.contains("public var x: \(type) { _one(\"x\") }"))
  }

  @Test func keywordTypeNamesAreInBackticks() throws {
    let module = try Generation(
      "type in { a: Int } input for { a: Int } type Query { x(y: for): in }",
      configuration: .asWritten)
    #expect(module.declaration("public final class `in`: _Response") != nil)
    #expect(module.declaration("public final class inQuery: _Query") != nil)
    #expect(module.text.contains("public var x: `in`? { _oneOpt(\"x\") }"))
    #expect(module.text.contains("y: `for`? = nil"))
  }

  @Test func hiddenStandardTypesAreQualified() throws {
    let module = try Generation(
      """
      type Void { a: String! }
      enum Sendable { A }
      enum Bool { B }
      interface int { a(b: Boolean): Int }
      type Query { a(b: Boolean, c: Bool): Int v: Void }
      """)
    #expect(module.text.contains("@unchecked Swift.Sendable"))
    #expect(module.text.contains("b: Swift.Bool? = nil, c: Bool? = nil"))
    #expect(module.text.contains("public var a: Swift.Int? { _intOpt(\"a\") }"))
    #expect(module.text.contains("_ subfields: (VoidQuery) -> Swift.Void"))
    #expect(module.text.contains("public var a: String { _string(\"a\") }"))
  }

  @Test func qualifiesStandardTypesHiddenByNamespace() throws {
    let module = try Generation(
      "type Query { a: String }", configuration: Configuration(namespace: "String"))
    #expect(module.text.contains("public var a: Swift.String? { _stringOpt(\"a\") }"))
  }

  @Test func derivedNamesAvoidSchemaTypes() throws {
    let module = try Generation(
      """
      type Foo { a: Int } type FooQuery { b: Int } interface Node { c: Int }
      type UnknownNode implements Node { c: Int }
      type Query { foo: Foo }
      """)
    #expect(module.declaration("public final class FooQuery: _Response") != nil)
    #expect(module.declaration("public final class FooQuery_: _Query") != nil)
    #expect(module.declaration("public final class UnknownNode_: _Response, Node") != nil)
    #expect(
      module.text.contains("func foo(alias: String? = nil, _ subfields: (FooQuery_) -> Void)"))
  }

  @Test func qualifiesArgumentTypeNamedResponse() throws {
    let module = try Generation("enum Response { A } type Query { a(b: Response): Response }")
    #expect(module.text.contains("b: Shop.Response? = nil"))
    #expect(module.text.contains("public var a: Response? { _value(\"a\") }"))
  }
}
