import GraphQLPrinting
import GraphQLSchema
import Testing

/// One document per production of the type-system grammar (appendix C), and its canonical form.
@Suite struct TypeSystemGrammarTests {
  @Test(arguments: [
    (
      "schema", "\"d\"schema@a{query:Q mutation:M,subscription:S}",
      "\"\"\"d\"\"\"\nschema @a {\n  query: Q\n  mutation: M\n  subscription: S\n}\n"
    ),
    (
      "schema extension", "extend schema@a{query:Q}extend schema@b",
      "extend schema @a {\n  query: Q\n}\n\nextend schema @b\n"
    ),
    ("scalar", "\"d\"scalar A@a(x:1)", "\"\"\"d\"\"\"\nscalar A @a(x: 1)\n"),
    ("scalar extension", "extend scalar A@a", "extend scalar A @a\n"),
    (
      "object", "type A implements&B&C@a{\"f\"a(x:Int=1@b,y:[ID!]):[[T!]!]@c}",
      "type A implements B & C @a {\n  \"\"\"f\"\"\"\n  a(x: Int = 1 @b, y: [ID!]): [[T!]!] @c\n}\n"
    ),
    ("object without fields", "type A", "type A\n"),
    (
      "described arguments", "type A{a(\"x\"x:Int y:Int):T}",
      "type A {\n  a(\n    \"\"\"x\"\"\"\n    x: Int\n    y: Int\n  ): T\n}\n"
    ),
    (
      "object extension", "extend type A implements B extend type A@a extend type A{a:T}",
      "extend type A implements B\n\nextend type A @a\n\nextend type A {\n  a: T\n}\n"
    ),
    (
      "interface", "interface A implements B@a{a:T}",
      "interface A implements B @a {\n  a: T\n}\n"
    ),
    (
      "interface extension", "extend interface A implements B&C extend interface A{a:T}",
      "extend interface A implements B & C\n\nextend interface A {\n  a: T\n}\n"
    ),
    ("union", "union A@a=|B|C union D=E union F", "union A @a = B | C\n\nunion D = E\n\nunion F\n"),
    (
      "union extension", "extend union A=B extend union A@a",
      "extend union A = B\n\nextend union A @a\n"
    ),
    (
      "enum", "enum A@a{\"b\"B@c D}enum E",
      "enum A @a {\n  \"\"\"b\"\"\"\n  B @c\n  D\n}\n\nenum E\n"
    ),
    (
      "enum extension", "extend enum A{B}extend enum A@a",
      "extend enum A {\n  B\n}\n\nextend enum A @a\n"
    ),
    (
      "input object", "input A@a{\"b\"b:Int!=1@c d:[E]}input F",
      "input A @a {\n  \"\"\"b\"\"\"\n  b: Int! = 1 @c\n  d: [E]\n}\n\ninput F\n"
    ),
    (
      "input object extension", "extend input A{b:Int}extend input A@a",
      "extend input A {\n  b: Int\n}\n\nextend input A @a\n"
    ),
    (
      "directive", "\"d\"directive@a(b:Int=1)repeatable on|FIELD|QUERY",
      "\"\"\"d\"\"\"\ndirective @a(b: Int = 1) repeatable on FIELD | QUERY\n"
    ),
    (
      "directive without arguments", "directive@repeatable on OBJECT",
      "directive @repeatable on OBJECT\n"
    ),
    (
      "keywords as names", "type type implements interface{implements(input:enum):union}",
      "type type implements interface {\n  implements(input: enum): union\n}\n"
    ),
  ])
  func parsesAndPrintsProduction(name: String, text: String, canonical: String) throws {
    let document = try parse(text)
    #expect(document.text == canonical)
    #expect(try parse(canonical) == document)
  }

  @Test(arguments: DirectiveLocation.allCases)
  func parsesDirectiveLocation(_ location: DirectiveLocation) throws {
    let document = try parse("directive @a on \(location.rawValue)")
    #expect(
      document.definitions == [.directive(DirectiveDefinition(name: "a", locations: [location]))])
  }

  /// Long unions are printed on several lines.
  @Test func printsLongUnionOnSeveralLines() throws {
    let members = (0..<20).map { "Member\($0)" }
    let text = "union U =\n" + members.map { "  | \($0)\n" }.joined()
    #expect(try parse("union U = " + members.joined(separator: "|")).text == text)
  }

  @Test(arguments: [
    ("schema {}", "1:9 Expected \"query\", \"mutation\" or \"subscription\", found \"}\"."),
    (
      "schema { qurey: Q }",
      "1:10 Expected \"query\", \"mutation\" or \"subscription\", found \"qurey\". "
        + "Did you mean \"query\"?"
    ),
    ("schema", "1:7 Expected \"{\", found the end of the document."),
    ("type", "1:5 Expected a type's name, found the end of the document."),
    ("type A {}", "1:9 Expected a field, found \"}\"."),
    ("type A { a }", "1:12 Expected \":\", found \"}\"."),
    ("type A { a: }", "1:13 Expected a type, found \"}\"."),
    ("type A { a(): T }", "1:12 Expected an argument, found \")\"."),
    ("type A { a(b: T = $c): T }", "1:19 A constant value cannot contain the variable \"$c\"."),
    ("type A implements { a: T }", "1:19 Expected a type's name, found \"{\"."),
    ("type A implements B, C { a: T }", "1:22 Expected a definition, found \"C\"."),
    ("union A =", "1:10 Expected a type's name, found the end of the document."),
    ("union A = B |", "1:14 Expected a type's name, found the end of the document."),
    ("enum A {}", "1:9 Expected an enum value, found \"}\"."),
    ("enum A { true }", "1:10 An enum value cannot be called \"true\"."),
    ("enum A { B null }", "1:12 An enum value cannot be called \"null\"."),
    ("input A {}", "1:10 Expected an input field, found \"}\"."),
    ("input A { a(b: T): T }", "1:12 Expected \":\", found \"(\"."),
    ("directive a on FIELD", "1:11 Expected \"@\", found \"a\"."),
    ("directive @a FIELD", "1:14 Expected \"on\", found \"FIELD\"."),
    (
      "directive @a on FEILD",
      "1:17 Expected a directive location, found \"FEILD\". Did you mean \"FIELD\"?"
    ),
    ("extend", "1:7 Expected a definition to extend, found the end of the document."),
    (
      "extend typo A { a: T }",
      "1:8 Expected a definition to extend, found \"typo\". Did you mean \"type\"?"
    ),
    (
      "extend type A",
      "1:14 Expected the content of the extension of \"A\", found the end of the document."
    ),
    (
      "extend scalar A",
      "1:16 Expected the content of the extension of \"A\", found the end of the document."
    ),
    (
      "extend schema",
      "1:14 Expected the content of the schema extension, found the end of the document."
    ),
    (
      "\"d\" extend type A { a: T }",
      "1:5 An extension cannot have a description. "
        + "Describe the definition that it extends, or use a comment."
    ),
  ])
  func reportsSyntaxErrors(text: String, error: String) {
    #expect(syntaxErrors(text) == [error])
  }
}
