import GraphQLSchema
import Testing

/// Types of a kind that this edition does not know are left out, with everything that cannot be used
/// without them.
@Suite struct UnknownKindTests {
  private static let int = #"{"kind":"SCALAR","name":"Int"}"#
  private static let tuple = #"{"kind":"TUPLE","name":"T"}"#
  private static let needed = required(tuple)

  private static func required(_ type: String) -> String {
    #"{"kind":"NON_NULL","ofType":\#(type)}"#
  }

  private static func input(_ name: String) -> String {
    #"{"kind":"INPUT_OBJECT","name":"\#(name)"}"#
  }

  private static func argument(_ name: String, _ type: String, default value: String = "null")
    -> String
  {
    #"{"name":"\#(name)","type":\#(type),"defaultValue":\#(value)}"#
  }

  private static func field(_ name: String, _ arguments: String..., type: String = int) -> String {
    #"{"name":"\#(name)","type":\#(type),"args":[\#(arguments.joined(separator: ","))]}"#
  }

  /// A schema whose query type also has a field `ok`; each line is a type.
  private func schema(
    queries: [String], types: [String] = [], directives: [String] = [],
    rules: SchemaRules = .client
  ) throws -> ServiceSchema {
    let fields = [Self.field("ok")] + queries
    let query =
      #"{"kind":"OBJECT","name":"Query","fields":[\#(fields.joined(separator: ","))]}"#
    let types = ([query] + types + [Self.tuple]).joined(separator: ",\n")
    let directives = directives.joined(separator: ",")
    return try ServiceSchema(
      introspection: Source(
        name: "schema.json",
        text: #"{"__schema":{"queryType":{"name":"Query"},"directives":[\#(directives)],"types":["#
          + "\n\(types)]}}"),
      rules: rules)
  }

  /// The messages about elements that cannot be used, without those about the kind itself.
  private func messages(_ schema: ServiceSchema) -> [String] {
    #expect(schema.warnings.allSatisfy { $0.code == "UnknownKind" && $0.severity == .warning })
    return schema.warnings.map(\.message).filter { !$0.hasPrefix("Unknown kind") }
  }

  @Test func fieldWithRequiredArgumentIsLeftOut() throws {
    let schema = try schema(queries: [
      Self.field("a", Self.argument("need", Self.needed)),
      Self.field("b", Self.argument("may", Self.tuple), Self.argument("x", Self.int)),
      Self.field("c", Self.argument("may", Self.needed, default: #""1""#)),
      Self.field("d", type: Self.required(#"{"kind":"LIST","ofType":\#(Self.tuple)}"#)),
    ])
    let query = try #require(schema.queryType)
    #expect(query.fields.map(\.name) == ["ok", "b", "c"])
    #expect(query.fields["b"]?.arguments.map(\.name) == ["x"])
    #expect(query.fields["c"]?.arguments.isEmpty == true)
    #expect(
      messages(schema) == [
        #""Query.a" cannot be used, because its required argument "need" cannot."#,
        #""Query.a(need:)" cannot be used: the kind of its type is unknown."#,
        #""Query.b(may:)" cannot be used: the kind of its type is unknown."#,
        #""Query.c(may:)" cannot be used: the kind of its type is unknown."#,
        #""Query.d" cannot be used: the kind of its type is unknown."#,
      ])
  }

  @Test func inputObjectWithRequiredFieldIsLeftOutWithItsUses() throws {
    let schema = try schema(
      queries: [
        Self.field("a", Self.argument("i", Self.required(Self.input("Outer")))),
        Self.field("b", Self.argument("i", Self.input("Inner")), Self.argument("x", Self.int)),
        Self.field("c", Self.argument("i", Self.required(Self.input("Fine")))),
      ],
      types: [
        #"{"kind":"INPUT_OBJECT","name":"Outer","inputFields":["#
          + "\(Self.argument("inner", Self.required(Self.input("Inner"))))]}",
        #"{"kind":"INPUT_OBJECT","name":"Inner","inputFields":["#
          + "\(Self.argument("t", Self.needed))]}",
        #"{"kind":"INPUT_OBJECT","name":"Fine","inputFields":["#
          + "\(Self.argument("t", Self.tuple)),\(Self.argument("o", Self.input("Outer"))),"
          + "\(Self.argument("x", Self.int))]}",
      ])
    #expect(schema.types.map(\.name) == ["Query", "Fine"])
    #expect(schema.queryType?.fields.map(\.name) == ["ok", "b", "c"])
    #expect(schema.queryType?.fields["b"]?.arguments.map(\.name) == ["x"])
    guard case .inputObject(let fine)? = schema.types["Fine"] else {
      Issue.record("There is no Fine.")
      return
    }
    #expect(fine.fields.map(\.name) == ["x"])
    let found = messages(schema)
    #expect(
      found.contains(#""Inner" cannot be used, because its required input field "t" cannot."#))
    #expect(
      found.contains(#""Outer" cannot be used, because its required input field "inner" cannot."#))
    #expect(
      found.contains(#""Query.a" cannot be used, because its required argument "i" cannot."#))
  }

  @Test func membersAndInterfacesAreLeftOut() throws {
    let schema = try schema(
      queries: [Self.field("u", type: #"{"kind":"UNION","name":"U"}"#)],
      types: [
        #"{"kind":"UNION","name":"U","possibleTypes":[{"kind":"OBJECT","name":"O"},"#
          + "\(Self.tuple),{\"name\":\"T\"}]}",
        #"{"kind":"OBJECT","name":"O","interfaces":[{"kind":"TRAIT","name":"X"}],"fields":["#
          + "\(Self.field("x"))]}",
      ])
    guard case .union(let union)? = schema.types["U"] else {
      Issue.record("There is no U.")
      return
    }
    #expect(union.members.map(\.name) == ["O"])
    #expect(schema.types["O"]?.interfaces?.isEmpty == true)
    #expect(
      messages(schema) == [
        #"The member "T" of "U" cannot be used: its kind is unknown."#,
        #"The member "T" of "U" cannot be used: its kind is unknown."#,
        #"The interface "X" of "O" cannot be used: its kind is unknown."#,
      ])
  }

  @Test func directiveWithRequiredArgumentIsLeftOut() throws {
    let schema = try schema(
      queries: [],
      directives: [
        #"{"name":"a","locations":["FIELD"],"args":[\#(Self.argument("need", Self.needed))]}"#,
        #"{"name":"b","locations":["FIELD"],"args":[\#(Self.argument("may", Self.tuple))]}"#,
      ])
    #expect(schema.directives.map(\.name) == ["b"])
    #expect(schema.directives["b"]?.arguments.isEmpty == true)
    #expect(
      messages(schema).contains(
        #""@a" cannot be used, because its required argument "need" cannot."#))
  }

  /// A kind in a reference contradicts the kind of the type: only the reference is left out.
  @Test func wrongKindOfReferenceDoesNotConcernOthers() throws {
    let schema = try schema(queries: [
      Self.field("a", type: #"{"kind":"MAP","name":"Int"}"#),
      Self.field("b", type: #"{"kind":"SEMANTIC_NON_NULL","name":null,"ofType":\#(Self.int)}"#),
      Self.field("c"),
    ])
    #expect(schema.queryType?.fields.map(\.name) == ["ok", "c"])
  }

  @Test func longChainOfInputObjectsIsLeftOut() throws {
    let count = 2_000
    let types = (0..<count).map { index in
      let next = index + 1 < count ? Self.input("I\(index + 1)") : Self.tuple
      return #"{"kind":"INPUT_OBJECT","name":"I\#(index)","inputFields":["#
        + "\(Self.argument("next", Self.required(next)))]}"
    }
    let schema = try schema(queries: [], types: types)
    #expect(schema.types.map(\.name) == ["Query"])
  }

  @Test func specificationMakesErrorsOfThem() {
    #expect(throws: Diagnostics.self) { try schema(queries: [], rules: .specification) }
  }
}
