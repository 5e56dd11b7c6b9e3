import GraphQLSchema
import Testing

@Suite struct SourceRangeTests {
  private func text(_ range: SourceRange, in source: String) -> String {
    String(decoding: Array(source.utf8)[Int(range.start)..<Int(range.end)], as: UTF8.self)
  }

  @Test func everyNodeOfOperationHasRange() throws {
    let source =
      "# é\n\"d\" query A($v: [Int] = 1 @x) @y { f: g(a: {b: [$v]}) ... on T { h } ...F }"
    let operation = try #require(parse(source).operations.first)
    #expect(text(operation.range, in: source) == source.dropFirst(4))
    #expect(text(operation.nameRange, in: source) == "A")
    let variable = try #require(operation.variables.first)
    #expect(text(variable.range, in: source) == "$v: [Int] = 1 @x")
    #expect(text(variable.nameRange, in: source) == "$v")
    #expect(text(variable.typeRange, in: source) == "[Int]")
    #expect(text(try #require(variable.defaultValue).range, in: source) == "1")
    #expect(text(operation.directives[0].range, in: source) == "@y")

    let selections = operation.selectionSet.selections
    guard case .field(let field) = selections[0], case .inlineFragment(let inline) = selections[1]
    else {
      Issue.record("a field and an inline fragment were selected")
      return
    }
    #expect(text(field.range, in: source) == "f: g(a: {b: [$v]})")
    #expect(text(field.nameRange, in: source) == "g")
    #expect(text(field.arguments[0].range, in: source) == "a: {b: [$v]}")
    #expect(text(field.arguments[0].value.range, in: source) == "{b: [$v]}")
    #expect(text(inline.range, in: source) == "... on T { h }")
    #expect(text(try #require(inline.typeCondition).range, in: source) == "T")
    #expect(text(inline.selectionSet.range, in: source) == "{ h }")
    #expect(text(selections[2].range, in: source) == "...F")
  }

  @Test func everyNodeOfTypeDefinitionHasRange() throws {
    let source = "type A implements I @x { \"d\" f(a: [B!] = 1 @y): C! @z }"
    guard case .type(.object(let object))? = try parse(source).definitions.first else {
      Issue.record("an object type was defined")
      return
    }
    #expect(text(object.range, in: source) == source)
    #expect(text(object.nameRange, in: source) == "A")
    #expect(text(object.interfaces[0].range, in: source) == "I")
    #expect(text(object.directives[0].range, in: source) == "@x")
    let field = object.fields[0]
    #expect(text(field.range, in: source) == "\"d\" f(a: [B!] = 1 @y): C! @z")
    #expect(text(field.nameRange, in: source) == "f")
    #expect(text(field.typeRange, in: source) == "C!")
    #expect(text(field.arguments[0].range, in: source) == "a: [B!] = 1 @y")
    #expect(text(field.arguments[0].typeRange, in: source) == "[B!]")
  }

  @Test func nodeEqualityIgnoresRanges() throws {
    #expect(try parse("{ a(b: 1) }") == parse("# far away\n\n{a(b:1)}"))
    #expect(try parse("{ a(b: 1) }") != parse("{ a(b: 2) }"))
  }
}
