import GraphQLCodeGen
import Testing

@testable import GraphQLSchema

/// A schema comes from the network: no part of it may become code.
@Suite struct AdversarialTextTests {
  static let texts = [
    "*/ evil() /*", "/* open", "\"\"\" evil() \"\"\"", "\\(evil())", "\\", "\\\"",
    "\" + evil() + \"",
    "a\nevil()", "a\revil()", "a\r\nevil()", "a\u{2028}evil()", "a\u{2029}evil()", "a\u{85}evil()",
    "a\u{0B}evil()", "a\u{0C}evil()", "a\u{00}evil()", "a\u{1B}[31mevil()", "`evil()`",
    "``` evil()",
    "\u{202E})(live\u{202C}", "\u{2066}evil()\u{2069}", "\u{200F}evil()", "\u{FEFF}evil()",
    "\u{E0041}evil()", "../../evil", "#sourceLocation(file: \"x\", line: 1)", "\n#if false\n",
    "// swift-format-ignore", "é 👩‍💻 ok", "", " ", "\t\tindented", "#\"evil\"#", "\"",
  ]

  /// A schema with the text in every place for free text.
  private func schema(_ text: String) throws -> ServiceSchema {
    let draft = try ServiceSchema(
      sdl: """
        directive @d(x: String = "") on FIELD
        type Query implements I { a(x: String = "", y: In): Int @deprecated b: E }
        interface I { a(x: String = "", y: In): Int @deprecated }
        union U = Query
        enum E { A @deprecated B }
        input In { a: String = "" @deprecated b: [String] = [""] }
        input One @oneOf { a: Int @deprecated }
        """)
    return ServiceSchema(
      definition: SchemaDefinition(
        description: text, operationTypes: draft.definition.operationTypes),
      types: NamedList(draft.types.elements.map { Poison(text: text).type($0) }),
      directives: NamedList(draft.directives.elements.map { Poison(text: text).directive($0) }),
      sources: [])
  }

  private func text(of schema: ServiceSchema) throws -> String {
    let pipeline = GeneratorPipeline(configuration: Configuration(namespace: "Shop"))
    return try pipeline.run(schema).files.map(\.contents).joined()
  }

  @Test(arguments: texts)
  func adversarialTextDoesNotChangeTokens(adversarial: String) throws {
    let harmless = try swiftTokens(text(of: schema("harmless")))
    let tokens = try swiftTokens(text(of: schema(adversarial)))
    #expect(tokens == harmless)
    #expect(!tokens.contains("evil"))
  }

  @Test(arguments: texts)
  func outputContainsNoInvisibleCharacters(adversarial: String) throws {
    for scalar in try text(of: schema(adversarial)).unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      let isJoiner = scalar == "\u{200D}"
      #expect(
        category != .control && (category != .format || isJoiner),
        "\(scalar.escaped(asASCII: true))")
      #expect(category != .lineSeparator && category != .paragraphSeparator)
    }
  }

  @Test func escapedTextStaysReadable() throws {
    let module = try Generation(
      #"type Query { a: Int @deprecated(reason: "q\" s\\ i\\(x) n\n r\r t\t z\u0000 b\u202E é") }"#)
    #expect(
      module.text.contains(
        #"message: "q\" s\\ i\\(x) n\n r\r t\t z\u{0} b\u{202E} é")"#))
  }

  @Test(
    arguments: [
      "a b", "a\nb", "a\"", "a)", "é", "", "a.b", "../x", "1a", "a\u{200D}b", "`a`", "a$",
    ])
  func rejectsInvalidNames(name: String) throws {
    func refuses(_ types: [NamedType], _ directives: [DirectiveDefinition] = []) throws -> Bool {
      let query = NamedType.object(
        ObjectType(
          name: "Query", fields: [FieldDefinition(name: "a", type: .named("Int"))]))
      let schema = ServiceSchema(
        definition: SchemaDefinition(
          operationTypes: [RootOperationTypeDefinition(operationType: .query, type: "Query")]),
        types: NamedList([query] + types), directives: NamedList(directives), sources: [])
      let found = try diagnostics { _ = try text(of: schema) }
      return !found.isEmpty && found.allSatisfy { $0.code == "InvalidName" }
    }
    let field = FieldDefinition(name: "a", type: .named("Int"))
    let value = InputValueDefinition(name: name, type: .named("Int"))
    let withArgument = FieldDefinition(name: "a", arguments: [value], type: .named("Int"))
    #expect(try refuses([.object(ObjectType(name: name, fields: [field]))]))
    #expect(try refuses([.scalar(ScalarType(name: name))]))
    #expect(
      try refuses([
        .object(ObjectType(name: "T", fields: [FieldDefinition(name: name, type: .named("Int"))]))
      ]))
    #expect(try refuses([.object(ObjectType(name: "T", fields: [withArgument]))]))
    #expect(try refuses([.enum(EnumType(name: "T", values: [EnumValueDefinition(name: name)]))]))
    #expect(try refuses([.inputObject(InputObjectType(name: "T", fields: [value]))]))
    #expect(try refuses([.union(UnionType(name: "T", members: [TypeName(name)]))]))
    #expect(try refuses([], [DirectiveDefinition(name: name, locations: [.field])]))
    #expect(
      try refuses([], [DirectiveDefinition(name: "d", arguments: [value], locations: [.field])]))
  }
}

/// Puts a text into every place of a definition for free text.
private struct Poison {
  let text: String

  private var deprecated: Document.Directive {
    Document.Directive(
      name: "deprecated", arguments: [Document.Argument(name: "reason", value: .string(text))])
  }

  func type(_ type: NamedType) -> NamedType {
    switch type {
    case .object(var type):
      type.description = text
      type.fields = NamedList(type.fields.elements.map(field))
      return .object(type)
    case .interface(var type):
      type.description = text
      type.fields = NamedList(type.fields.elements.map(field))
      return .interface(type)
    case .union(var type):
      type.description = text
      return .union(type)
    case .enum(var type):
      type.description = text
      type.values = NamedList(type.values.elements.map(value))
      return .enum(type)
    case .inputObject(var type):
      type.description = text
      type.fields = NamedList(type.fields.elements.map(input))
      return .inputObject(type)
    case .scalar: return type
    }
  }

  func directive(_ directive: DirectiveDefinition) -> DirectiveDefinition {
    var directive = directive
    directive.description = text
    directive.arguments = NamedList(directive.arguments.elements.map(input))
    return directive
  }

  private func field(_ field: FieldDefinition) -> FieldDefinition {
    var field = field
    field.description = text
    field.arguments = NamedList(field.arguments.elements.map(input))
    if field.deprecationReason != nil { field.directives = [deprecated] }
    return field
  }

  private func value(_ value: EnumValueDefinition) -> EnumValueDefinition {
    var value = value
    value.description = text
    if value.deprecationReason != nil { value.directives = [deprecated] }
    return value
  }

  private func input(_ value: InputValueDefinition) -> InputValueDefinition {
    var value = value
    value.description = text
    if value.defaultValue != nil { value.defaultValue = .list([.string(text)]) }
    if value.deprecationReason != nil { value.directives = [deprecated] }
    return value
  }
}
