import GraphQLSchema
import Testing

@Suite struct SpanTests {
  private func text(_ span: SourceRange, in source: String) -> String {
    String(decoding: Array(source.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
  }

  @Test func everyNodeOfAnOperation() throws {
    let source =
      "# é\n\"d\" query A($v: [Int] = 1 @x) @y { f: g(a: {b: [$v]}) ... on T { h } ...F }"
    let operation = try #require(parse(source).operations.first)
    #expect(text(operation.span, in: source) == source.dropFirst(4))
    #expect(text(operation.nameSpan, in: source) == "A")
    let variable = try #require(operation.variables.first)
    #expect(text(variable.span, in: source) == "$v: [Int] = 1 @x")
    #expect(text(variable.nameSpan, in: source) == "$v")
    #expect(text(variable.typeSpan, in: source) == "[Int]")
    #expect(text(try #require(variable.defaultValue).span, in: source) == "1")
    #expect(text(operation.directives[0].span, in: source) == "@y")

    let selections = operation.selectionSet.selections
    guard case .field(let field) = selections[0], case .inlineFragment(let inline) = selections[1]
    else {
      Issue.record("a field and an inline fragment were selected")
      return
    }
    #expect(text(field.span, in: source) == "f: g(a: {b: [$v]})")
    #expect(text(field.nameSpan, in: source) == "g")
    #expect(text(field.arguments[0].span, in: source) == "a: {b: [$v]}")
    #expect(text(field.arguments[0].value.span, in: source) == "{b: [$v]}")
    #expect(text(inline.span, in: source) == "... on T { h }")
    #expect(text(try #require(inline.typeCondition).span, in: source) == "T")
    #expect(text(inline.selectionSet.span, in: source) == "{ h }")
    #expect(text(selections[2].span, in: source) == "...F")
  }

  @Test func everyNodeOfATypeDefinition() throws {
    let source = "type A implements I @x { \"d\" f(a: [B!] = 1 @y): C! @z }"
    guard case .type(.object(let object))? = try parse(source).definitions.first else {
      Issue.record("an object type was defined")
      return
    }
    #expect(text(object.span, in: source) == source)
    #expect(text(object.nameSpan, in: source) == "A")
    #expect(text(object.interfaces[0].span, in: source) == "I")
    #expect(text(object.directives[0].span, in: source) == "@x")
    let field = object.fields[0]
    #expect(text(field.span, in: source) == "\"d\" f(a: [B!] = 1 @y): C! @z")
    #expect(text(field.nameSpan, in: source) == "f")
    #expect(text(field.typeSpan, in: source) == "C!")
    #expect(text(field.arguments[0].span, in: source) == "a: [B!] = 1 @y")
    #expect(text(field.arguments[0].typeSpan, in: source) == "[B!]")
  }

  @Test func nodesCompareByContent() throws {
    #expect(try parse("{ a(b: 1) }") == parse("# far away\n\n{a(b:1)}"))
    #expect(try parse("{ a(b: 1) }") != parse("{ a(b: 2) }"))
  }
}
