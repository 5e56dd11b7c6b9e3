import GraphQLPrinting
import GraphQLSchema
import Testing

/// One document per production of the executable grammar (appendix C), and its canonical form.
@Suite struct ExecutableGrammarTests {
  @Test(arguments: [
    ("shorthand query", "{a}", "{\n  a\n}\n"),
    ("query", "query{a}", "{\n  a\n}\n"),
    (
      "named operations", "query A{a}mutation B{a}subscription C{a}",
      "query A {\n  a\n}\n\nmutation B {\n  a\n}\n\nsubscription C {\n  a\n}\n"
    ),
    (
      "keywords as names", "query query{type:query,on,fragment,null,true}",
      "query query {\n  type: query\n  on\n  fragment\n  null\n  true\n}\n"
    ),
    (
      "variables", "query($a:Int $b:[ID!]!=[\"x\"]){a}",
      "query ($a: Int, $b: [ID!]! = [\"x\"]) {\n  a\n}\n"
    ),
    (
      "variable directives", "query A($a:Int=1@d(x:2)@e){a}",
      "query A($a: Int = 1 @d(x: 2) @e) {\n  a\n}\n"
    ),
    ("operation directives", "query A@d(x:$v){a}", "query A @d(x: $v) {\n  a\n}\n"),
    ("alias and arguments", "{b:a(x:1,y:$z)}", "{\n  b: a(x: 1, y: $z)\n}\n"),
    (
      "field directives", "{a@include(if:true)@skip(if:$b)}",
      "{\n  a @include(if: true) @skip(if: $b)\n}\n"
    ),
    ("nested selections", "{a{b{c}}}", "{\n  a {\n    b {\n      c\n    }\n  }\n}\n"),
    ("fragment spread", "{...F@d ...onward}", "{\n  ...F @d\n  ...onward\n}\n"),
    (
      "inline fragment", "{...on T@d{a}...@d{a}...{a}}",
      "{\n  ... on T @d {\n    a\n  }\n  ... @d {\n    a\n  }\n  ... {\n    a\n  }\n}\n"
    ),
    ("fragment definition", "fragment F on T@d{a}", "fragment F on T @d {\n  a\n}\n"),
    ("ignored tokens", "\u{FEFF}# c\r\n,{,\ta\u{FEFF},,}#end", "{\n  a\n}\n"),
    (
      "descriptions", "\"q\"query A(\"v\"$a:Int){a}\"\"\"f\"\"\"fragment F on T{a}",
      "\"\"\"q\"\"\"\nquery A(\n  \"\"\"v\"\"\"\n  $a: Int\n) {\n  a\n}\n\n"
        + "\"\"\"f\"\"\"\nfragment F on T {\n  a\n}\n"
    ),
  ])
  func parsesAndPrintsProduction(name: String, text: String, canonical: String) throws {
    let document = try parse(text)
    #expect(document.text == canonical)
    #expect(try parse(canonical) == document)
    #expect(try parse(canonical).text == canonical)
  }

  @Test func parsesPartsOfOperation() throws {
    let document = try parse(
      "query A($n: Int = 3) @live { b: c(d: [$n]) { ...F } } fragment F on T { e }")
    let operation = try #require(document.operations.first)
    #expect(operation.operationType == .query)
    #expect(operation.name == "A")
    #expect(
      operation.variables == [
        VariableDefinition(name: "n", type: .named("Int"), defaultValue: .int(3))
      ])
    #expect(operation.directives == [Document.Directive(name: "live")])
    let field = Document.Field(
      alias: "b", name: "c",
      arguments: [Document.Argument(name: "d", value: .list([.variable("n")]))],
      selectionSet: Document.SelectionSet([.fragmentSpread(Document.FragmentSpread(name: "F"))]))
    #expect(operation.selectionSet == Document.SelectionSet([.field(field)]))
    #expect(field.responseName == "b")
    #expect(
      document.fragments == [
        FragmentDefinition(
          name: "F", typeCondition: "T",
          selectionSet: Document.SelectionSet([.field(Document.Field(name: "e"))]))
      ])
  }

  @Test func parsesDescriptionsOfExecutableDefinitions() throws {
    let document = try parse("\"o\" query A(\"v\" $a: Int) { a } \"f\" fragment F on T { a }")
    #expect(document.operations.first?.description == "o")
    #expect(document.operations.first?.variables.first?.description == "v")
    #expect(document.fragments.first?.description == "f")
  }

  @Test(arguments: [
    ("", "1:1 Expected a definition, found the end of the document."),
    ("  # nothing\n", "2:1 Expected a definition, found the end of the document."),
    ("{}", "1:2 Expected a field, found \"}\"."),
    ("{a", "1:3 Expected a field, found the end of the document."),
    ("{a:}", "1:4 Expected a field, found \"}\"."),
    ("{a()}", "1:4 Expected an argument, found \")\"."),
    ("{a(b)}", "1:5 Expected \":\", found \")\"."),
    ("{a(b:)}", "1:6 Expected a value, found \")\"."),
    ("{a(b:$)}", "1:7 Expected a variable's name, found \")\"."),
    ("{a(b:{c})}", "1:8 Expected \":\", found \"}\"."),
    ("{a@}", "1:4 Expected a directive's name, found \"}\"."),
    ("{...}", "1:5 Expected \"{\", found \"}\"."),
    ("{...on}", "1:7 Expected a type's name, found \"}\"."),
    ("query", "1:6 Expected \"{\", found the end of the document."),
    ("query A()", "1:9 Expected \"$\", found \")\"."),
    ("query($a){a}", "1:9 Expected \":\", found \")\"."),
    ("query($a:){a}", "1:10 Expected a type, found \")\"."),
    ("query($a:[Int){a}", "1:14 Expected \"]\", found \")\"."),
    ("query($a:Int!!){a}", "1:14 Expected \"$\", found \"!\"."),
    ("query($a:Int=$b){a}", "1:14 A constant value cannot contain the variable \"$b\"."),
    ("query($a:Int@d(x:$b)){a}", "1:18 A constant value cannot contain the variable \"$b\"."),
    (
      "fragment on on T{a}",
      "1:10 Expected a fragment's name, found \"on\". A fragment cannot be called \"on\"."
    ),
    ("fragment F T{a}", "1:12 Expected \"on\", found \"T\"."),
    ("fragment F on T", "1:16 Expected \"{\", found the end of the document."),
    ("\"text\" {a}", "1:8 Expected a definition to describe, found \"{\"."),
    (
      "qurey A {a}",
      "1:1 Expected a definition, found \"qurey\". Did you mean \"query\"?"
    ),
    ("}", "1:1 Expected a definition, found \"}\"."),
  ])
  func reportsSyntaxErrors(text: String, error: String) {
    #expect(syntaxErrors(text) == [error])
  }
}
