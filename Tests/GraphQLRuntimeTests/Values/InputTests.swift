import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// Values in variables (specification: 2.9 Input Values, 3.10 Input Objects).
@Suite struct InputTests {
  private func variables(_ input: Shop.RenameInput) throws -> String {
    try Shop.buildMutation { $0.rename(id: "1", input: input) { $0.id() } }.operation()
      .variablesText
  }

  @Test func fieldsAreLeftOutNullOrHaveAValue() throws {
    let absent: String? = nil
    let note: String? = "N"
    #expect(
      try variables(.init(title: "T", note: absent, count: nil))
        == #"{"id1":"1","input2":{"title":"T"}}"#)
    #expect(
      try variables(.init(title: "T", note: note))
        == #"{"id1":"1","input2":{"title":"T","note":"N"}}"#)
    #expect(
      try variables(.init(title: "T", note: note, count: 10).null(\.note))
        == #"{"id1":"1","input2":{"title":"T","count":10,"note":null}}"#)
    #expect(
      try variables(.init(title: "T", note: "N", tags: ["a", nil], lines: [.init(title: "L")]))
        == #"{"id1":"1","input2":{"title":"T","note":"N","tags":["a",null],"lines":[{"title":"L"}]}}"#
    )
  }

  @Test func optionalsAndLiteralsAreArguments() throws {
    let absent: Int? = nil
    let size: Int? = 3
    let color: Shop.Color? = .green
    let operation = try Shop.buildQuery {
      $0.products(first: absent) { $0.image(size: size, crop: color) { $0.url(width: 10) } }
        .products(alias: "b", first: nil) { $0.image(crop: .deepRed) { $0.height() } }
    }.operation()
    #expect(
      operation.variablesText == #"{"size1":3,"crop2":"GREEN","width3":10,"crop4":"DEEP_RED"}"#)
  }

  @Test func nullsNameOneFieldOfTheObject() throws {
    struct Outer: GraphQL.InputObject {
      var _fields = GraphQL.InputFields()
      var inner: Shop.RenameInput {
        get { _fields.required("inner") }
        set { _fields.set("inner", newValue) }
      }
    }
    var outer = Outer()
    outer.inner = .init(title: "T", note: "N")
    #expect(outer.description == #"{inner: {title: "T", note: "N"}}"#)
    let root = Shop.QueryRootQuery()
    root._field("flags", nil)
    root._arg("a", outer.null(\.inner.note))
    #expect(
      problems(root) == [
        "flags: argument `a`: `null` needs the key path of a field of the input object itself"
      ])
  }

  @Test func inputFieldsAreMutable() throws {
    var input = Shop.RenameInput(title: "T", note: "N")
    let before = input
    input.title = "U"
    input = input.null(\.note)
    input.count = 3
    #expect(input.title == "U" && input.note == nil && input.count == 3)
    #expect(before.title == "T" && before.note == "N" && before.count == nil)
    #expect(input.description == #"{title: "U", note: null, count: 3}"#)
    input.note = nil
    #expect(try variables(input) == #"{"id1":"1","input2":{"title":"U","count":3}}"#)
  }

  @Test func documentDoesNotDependOnGivenFields() throws {
    func document(_ input: Shop.RenameInput) throws -> String {
      try Shop.buildMutation { $0.rename(id: "1", input: input) { $0.id() } }.operation().document
    }
    #expect(try document(.init(title: "T")) == document(.init(title: "", count: 1).null(\.note)))
  }

  @Test func rejectsNullForNonNullFieldWithDefault() {
    let query = Shop.buildMutation {
      $0.rename(id: "1", input: .init(title: "T", lines: [.init(title: "L").null(\.count)])) {
        $0.id()
      }
    }
    #expect(
      problems(query) == [
        "rename: argument `input`: `lines.0.count`: null where the schema requires a value"
      ])
  }

  @Test func oneOfInputsSendOneField() throws {
    let operation = try Shop.buildQuery {
      $0.product(by: .id("1")) { $0.id() }.product(alias: "b", by: .handle("h")) { $0.id() }
    }.operation()
    #expect(operation.variablesText == #"{"by1":{"id":"1"},"by2":{"handle":"h"}}"#)
    #expect(operation.document.hasPrefix("query($by1:ProductBy,$by2:ProductBy)"))
    #expect(Shop.ProductBy.id("1").description == #"{id: "1"}"#)
  }

  @Test func sendsUnknownEnumValuesByTheirText() throws {
    let query = Shop.buildQuery {
      $0.products { $0.image(crop: .unknownValue("TEAL")) { $0.url() } }
    }
    #expect(try query.operation().variablesText == #"{"crop1":"TEAL"}"#)
    #expect(query.description.contains("image(crop: TEAL)"))
  }

  @Test(arguments: [
    "", "dark-red", "A) { id } evil(b: B", "1A", "A\n", "é", "true", "false", "null",
  ])
  func rejectsEnumValuesThatAreNotNames(text: String) {
    let query = Shop.buildQuery(directives: [.inContext(country: .unknownValue(text))]) {
      $0.products { $0.image(crop: .unknownValue(text)) { $0.url() } }
    }
    let problem = "a value of Color whose text is not a GraphQL name cannot be sent"
    #expect(
      problems(query) == [
        "argument `country`: \(problem)", "products.image: argument `crop`: \(problem)",
      ])
    #expect(query.description.contains("image(crop: null) {"))
  }

  @Test func rejectsNonFiniteNumbers() {
    for value in [Double.infinity, -.infinity, .nan] {
      let root = Shop.QueryRootQuery()
      root._field("flags", nil)
      root._arg("a", value)
      #expect(problems(root) == ["flags: argument `a`: \(value) has no JSON form"])
    }
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
    (0.1, "0.1"),
    (123_456_789_012_345_680, "1.2345678901234568e+17"),
  ])
  func doublesAreSentAsTheirShortestText(_ value: Double, _ text: String) throws {
    let root = Shop.QueryRootQuery()
    root._field("flags", nil)
    root._arg("a", value)
    #expect(try root.operation().variablesText == #"{"a1":\#(text)}"#)
    #expect(root.description == "{\n  flags(a: \(text))\n}")
  }

  @Test func stringsAreEscaped() throws {
    let text = "\u{0}\u{8}\t\n\u{C}\r\"\\/\u{7F}\u{2028}é😀"
    let operation = try Shop.buildQuery { $0.search(query: text) { $0.onNode { $0.id() } } }
      .operation()
    #expect(
      operation.variablesText
        == #"{"query1":"\u0000\b\t\n\f\r\"\\/\#u{7F}\#u{2028}é😀"}"#)
    let document = try JSONDocument(parsing: operation.variables)
    #expect(document.root["query1"]?.string == text)
  }

  @Test func rejectsTooDeepInputs() {
    var input = Shop.RenameInput(title: "T")
    for _ in 0..<150 { input = .init(title: "T", lines: [input]) }
    let query = Shop.buildMutation { $0.rename(id: "1", input: input) { $0.id() } }
    let found = problems(query)
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("lists and objects are nested more than 200 levels deep"))
  }

  @Test func rejectsUnrepresentableDatesAndDecimals() {
    func sent(_ value: some GraphQL.InputValue) -> [String] {
      let root = Shop.QueryRootQuery()
      root._field("flags", nil)
      root._arg("a", value)
      return problems(root)
    }
    #expect(sent(Date(timeIntervalSince1970: 1e15)).count == 1)
    #expect(sent(Date(timeIntervalSince1970: .nan)).count == 1)
    #expect(sent(Date(timeIntervalSince1970: -1e11)).count == 1)
    #expect(sent(Decimal.nan).count == 1)
    #expect(sent(Decimal(1)).isEmpty)
  }
}
