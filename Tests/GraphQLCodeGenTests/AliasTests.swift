import Testing

@Suite struct AliasTests {
  @Test func fieldsWithArgumentsHaveAliasedReaders() throws {
    let module = try Generation(
      "type Query { node(id: ID!): Node plain: Int } interface Node { id: ID! } ")
    #expect(
      module.declaration("public final class Query:") == """
        public final class Query: _Response, @unchecked Sendable {
          public var node: (any Node)? { _anyOpt("node") }

          public func aliasedNode(alias: String) -> (any Node)? {
            _anyOpt("node", alias)
          }

          public var plain: Int? { _intOpt("plain") }
        }
        """)
  }

  @Test func aliasedReadersKeepUnderscoresAndStayUnique() throws {
    let module = try Generation(
      "type Query { foo(a: Int): Int Foo(a: Int): Int _foo(a: Int): Int aliasedFoo: Int }",
      configuration: .asWritten)
    let text = module.text
    #expect(
      text.contains("func aliasedFoo(alias: String) -> Int? {\n      _intOpt(\"foo\", alias)"))
    #expect(
      text.contains("func aliasedFoo_(alias: String) -> Int? {\n      _intOpt(\"Foo\", alias)"))
    #expect(text.contains("func aliased_foo(alias: String)"))
    #expect(text.contains("public var aliasedFoo: Int? { _intOpt(\"aliasedFoo\") }"))
  }

  @Test func acceptsFieldNameWithTwoUnderscores() throws {
    let module = try Generation("type Query { a__b: Int }")
    #expect(module.text.contains("public var aB: Int? { _intOpt(\"a__b\") }"))
  }
}
