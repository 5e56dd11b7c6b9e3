import GraphQLComparison
import GraphQLSchema
import Testing

/// Two versions of a schema, and the changes between them.
struct ChangeCase: Sendable, CustomTestStringConvertible {
  let old: String
  let new: String
  /// `severity: coordinate: message` of all changes, in order.
  let changes: [String]

  init(_ old: String, _ new: String, _ changes: String...) {
    (self.old, self.new, self.changes) = (old, new, changes)
  }

  var testDescription: String { changes.joined(separator: " ") }

  func check() throws {
    let old = try ServiceSchema(sdl: "type Query { base: Int }\n" + old)
    let new = try ServiceSchema(sdl: "type Query { base: Int }\n" + new)
    #expect(new.changes(from: old).map(\.description) == changes)
  }
}

@Suite("Changes between two schemas")
struct SchemaChangesTests {
  @Test(arguments: [
    ChangeCase(
      "scalar A", "scalar B", "breaking: A: The type was removed.", "safe: B: The type was added."),
    ChangeCase("scalar A", "enum A { B }", "breaking: A: It was a scalar and is an enum now."),
    ChangeCase(
      "type A { b: Int }", "input A { b: Int }",
      "breaking: A: It was an object type and is an input object now."),
    ChangeCase(
      "scalar A", #"scalar A @specifiedBy(url: "https://a.test")"#,
      "dangerous: A: The URL of its specification was changed; its format may be different."),
    ChangeCase(
      "enum A { B C }", "enum A { D C }",
      "breaking: A.B: The value was removed.",
      "dangerous: A.D: The value was added; programs must handle it."),
    ChangeCase(
      "type A { b: Int } type B { b: Int } union U = A",
      "type A { b: Int } type B { b: Int } union U = B",
      "breaking: U: A is no longer a member.",
      "dangerous: U: B is a member now; programs must handle it."),
    ChangeCase(
      "interface I { b: Int } interface J { b: Int } type A implements I { b: Int }",
      "interface I { b: Int } interface J { b: Int } type A implements J { b: Int }",
      "breaking: A: It no longer implements I.",
      "dangerous: A: It implements J now."),
    ChangeCase(
      "interface J { b: Int } interface I { b: Int }",
      "interface J { b: Int } interface I implements J { b: Int }",
      "dangerous: I: It implements J now."),
  ])
  func reportsTypeChanges(_ change: ChangeCase) throws { try change.check() }

  @Test(arguments: [
    ChangeCase(
      "type A { b: Int c: Int }", "type A { b: Int d: Int }",
      "breaking: A.c: The field was removed.", "safe: A.d: The field was added."),
    ChangeCase(
      "type A { b: Int }", "type A { b: Int! }", "safe: A.b: Its type was changed from Int to Int!."
    ),
    ChangeCase(
      "type A { b: Int! }", "type A { b: Int }",
      "breaking: A.b: Its type was changed from Int! to Int."),
    ChangeCase(
      "type A { b: [Int] }", "type A { b: [Int!]! }",
      "safe: A.b: Its type was changed from [Int] to [Int!]!."),
    ChangeCase(
      "type A { b: [Int!] }", "type A { b: [Int]! }",
      "breaking: A.b: Its type was changed from [Int!] to [Int]!."),
    ChangeCase(
      "type A { b: Int }", "type A { b: [Int] }",
      "breaking: A.b: Its type was changed from Int to [Int]."),
    ChangeCase(
      "interface A { b: ID }", "interface A { b: String }",
      "breaking: A.b: Its type was changed from ID to String."),
    // A narrower type is a different type: a fragment on another implementation could not apply.
    ChangeCase(
      "interface I { b: Int } type B implements I { b: Int } type A { i: I }",
      "interface I { b: Int } type B implements I { b: Int } type A { i: B }",
      "breaking: A.i: Its type was changed from I to B."),
  ])
  func reportsFieldChanges(_ change: ChangeCase) throws { try change.check() }

  @Test(arguments: [
    ChangeCase(
      "type A { b(c: Int): Int }", "type A { b(d: Int): Int }",
      "breaking: A.b(c:): The argument was removed.",
      "dangerous: A.b(d:): The argument was added, and it is optional."),
    ChangeCase(
      "type A { b: Int }", "type A { b(c: Int!): Int }",
      "breaking: A.b(c:): The argument was added, and it is required."),
    ChangeCase(
      "type A { b: Int }", "type A { b(c: Int! = 1): Int }",
      "dangerous: A.b(c:): The argument was added, and it is optional."),
    ChangeCase(
      "type A { b(c: Int!): Int }", "type A { b(c: Int): Int }",
      "safe: A.b(c:): Its type was changed from Int! to Int."),
    ChangeCase(
      "type A { b(c: Int): Int }", "type A { b(c: Int!): Int }",
      "breaking: A.b(c:): Its type was changed from Int to Int!."),
    // A single value is coerced to a list, but a variable of the item's type is not.
    ChangeCase(
      "type A { b(c: Int): Int }", "type A { b(c: [Int]): Int }",
      "breaking: A.b(c:): Its type was changed from Int to [Int]."),
    ChangeCase(
      "type A { b(c: Int = 1): Int }", "type A { b(c: Int = 2): Int }",
      "dangerous: A.b(c:): Its default value was changed from `1` to `2`."),
    ChangeCase(
      "type A { b(c: Int = 1): Int }", "type A { b(c: Int): Int }",
      "dangerous: A.b(c:): Its default value `1` was removed."),
    ChangeCase(
      "type A { b(c: Int! = 1): Int }", "type A { b(c: Int!): Int }",
      "breaking: A.b(c:): Its default value `1` was removed, and it is required now."),
    ChangeCase(
      "type A { b(c: Int): Int }", "type A { b(c: Int = 1): Int }",
      "dangerous: A.b(c:): It has a default value now: `1`."),
    ChangeCase(
      "type A { b(c: Int!): Int }", "type A { b(c: Int! = 1): Int }",
      "safe: A.b(c:): It has a default value now: `1`."),
    ChangeCase(
      "input I { x: Int y: Int } type A { b(c: I = { x: 1, y: 2 }): Int }",
      "input I { x: Int y: Int } type A { b(c: I = { y: 2, x: 1 }): Int }"),
  ])
  func reportsArgumentChanges(_ change: ChangeCase) throws { try change.check() }

  @Test(arguments: [
    ChangeCase(
      "input A { b: Int c: Int }", "input A { b: Int d: Int e: Int! }",
      "breaking: A.c: The input field was removed.",
      "breaking: A.e: The input field was added, and it is required.",
      "dangerous: A.d: The input field was added, and it is optional."),
    ChangeCase(
      "input A { b: [Int!]! }", "input A { b: [Int] }",
      "safe: A.b: Its type was changed from [Int!]! to [Int]."),
    ChangeCase(
      "input A { b: Int = 1 }", "input A { b: Int! = 2 }",
      "breaking: A.b: Its type was changed from Int to Int!.",
      "dangerous: A.b: Its default value was changed from `1` to `2`."),
    ChangeCase(
      "input A { b: Int }", "input A @oneOf { b: Int }",
      "breaking: A: Exactly one of its fields must be given now."),
    ChangeCase(
      "input A @oneOf { b: Int }", "input A { b: Int }",
      "dangerous: A: Any number of its fields can be given now; documents stay valid, and the "
        + "generated type changes."),
  ])
  func reportsInputObjectChanges(_ change: ChangeCase) throws { try change.check() }

  @Test(arguments: [
    ChangeCase(
      "directive @a on FIELD", "directive @b on FIELD",
      "breaking: @a: The directive was removed.", "safe: @b: The directive was added."),
    ChangeCase(
      "directive @a on FIELD | QUERY", "directive @a on FIELD | MUTATION",
      "breaking: @a: It can no longer be applied at QUERY.",
      "safe: @a: It can be applied at MUTATION now."),
    ChangeCase(
      "directive @a on FIELD", "directive @a repeatable on FIELD",
      "safe: @a: It can be applied more than once now."),
    ChangeCase(
      "directive @a repeatable on FIELD", "directive @a on FIELD",
      "breaking: @a: It can be applied only once now."),
    ChangeCase(
      "directive @a(b: Int) on FIELD", "directive @a(c: Int!) on FIELD",
      "breaking: @a(b:): The argument was removed.",
      "breaking: @a(c:): The argument was added, and it is required."),
  ])
  func reportsDirectiveChanges(_ change: ChangeCase) throws { try change.check() }

  @Test(arguments: [
    ChangeCase(
      "type A { b: Int }", "type A { b: Int @deprecated }", "safe: A.b: It is deprecated now."),
    ChangeCase(
      "enum A { B @deprecated C }", "enum A { B C }",
      "safe: A.B: It is no longer deprecated."),
    ChangeCase(
      #"input A { b: Int @deprecated(reason: "x") }"#,
      #"input A { b: Int @deprecated(reason: "y") }"#,
      "safe: A.b: The reason for its deprecation was changed."),
    ChangeCase(#""x" scalar A "#, "scalar A", "safe: A: The description was removed."),
    ChangeCase(
      "type A { b: Int }", #"type A { "x" b: Int }"#, "safe: A.b: The description was added."),
    ChangeCase(
      #"directive @a("x" b: Int) on FIELD"#, #"directive @a("y" b: Int) on FIELD"#,
      "safe: @a(b:): The description was changed."),
  ])
  func reportsDeprecationAndDescriptionChanges(_ change: ChangeCase) throws { try change.check() }

  @Test func reportsRootTypeChanges() throws {
    let old = try ServiceSchema(
      sdl: "schema { query: A mutation: B } type A { a: Int } type B { a: Int }")
    let new = try ServiceSchema(
      sdl: #""x" schema { query: B subscription: A } type A { a: Int } type B { a: Int }"#)
    #expect(
      new.changes(from: old).map(\.description) == [
        "breaking: schema: The root type of queries was changed from A to B.",
        "breaking: schema: The root type of mutations, B, was removed.",
        "safe: schema: The description was added.",
        "safe: schema: A root type of subscriptions was added: A.",
      ])
  }

  @Test func ignoresOrderOfDefinitions() throws {
    let old = try ServiceSchema(
      sdl: "type Query { a: Int b(c: Int d: Int): E } enum E { X Y } union U = Query")
    let new = try ServiceSchema(
      sdl: "union U = Query enum E { Y X } type Query { b(d: Int c: Int): E a: Int }")
    #expect(new.changes(from: old).isEmpty)
  }

  /// A default value is free text from the network.
  @Test func escapesAndShortensTextInMessages() throws {
    let old = try ServiceSchema(sdl: "type Query { a(b: String = \"1\"): Int }")
    let new = try ServiceSchema(
      sdl: "type Query { a(b: String = \"\u{202E}\(String(repeating: "x", count: 500))\"): Int }")
    let message = try #require(new.changes(from: old).first).message
    #expect(message.contains(#"\u{202E}"#) && message.count < 150)
  }
}
