import GraphQLCodeGen
import GraphQLSchema
import Testing

@Suite struct NameStyleTests {
  @Test(
    "Members are written in camel case",
    arguments: [
      ("created_at", "createdAt"), ("users_by_pk", "usersByPk"), ("title", "title"),
      ("createdAt", "createdAt"), ("createdAt_gt", "createdAtGt"), ("created__at", "createdAt"),
      ("_eq", "_eq"), ("_and_not", "_andNot"), ("id_", "id_"), ("Page", "page"), ("URL", "url"),
      ("HTMLBody", "htmlBody"), ("IDs", "ids"), ("IDsByName", "idsByName"), ("IDset", "iDset"),
      ("USER_ID", "userId"), ("user_ID", "userID"),
      ("iOS", "iOS"), ("line_1", "line1"), ("v1_2", "v1_2"), ("v12", "v12"), ("_1", "_1"),
      ("x_y_z", "xYZ"), ("is_default", "isDefault"), ("DEFAULT", "`default`"),
    ])
  func convertsMembers(name: String, swiftName: String) throws {
    let module = try Generation(
      """
      type Query { \(name)(\(name): Int): Int }
      input Filter { \(name): Int }
      directive @\(name) on QUERY
      """)
    let unquoted = swiftName.replacing("`", with: "")
    #expect(module.text.contains("func \(swiftName)("))
    #expect(module.text.contains("public var \(swiftName): Int? {"))
    #expect(module.text.contains("_intOpt(\"\(name)\")"))
    #expect(module.text.contains("var \(swiftName): Int?"))
    #expect(module.text.contains("\(unquoted)"))
  }

  @Test(
    "Types are written in upper camel case",
    arguments: [
      ("users", "Users"), ("posts_bool_exp", "PostsBoolExp"),
      ("String_comparison_exp", "StringComparisonExp"),
      ("SKU", "SKU"), ("ORDER_STATE", "OrderState"), ("_Entity", "_Entity"),
      ("_service", "_Service"),
      ("HTMLPage", "HTMLPage"), ("Version_1_2", "Version1_2"),
    ])
  func convertsTypes(name: String, swiftName: String) throws {
    let module = try Generation("type \(name) { a: Int } type Query { x: \(name) y: [\(name)!]! }")
    #expect(module.declaration("public final class \(swiftName): _Response") != nil)
    #expect(module.declaration("public final class \(swiftName)Query: _Query") != nil)
    #expect(module.text.contains("public var x: \(swiftName)? { _oneOpt(\"x\") }"))
    #expect(module.table.contains("@\(name)"))
  }

  @Test func convertsEnumsInputsAndConditions() throws {
    let module = try Generation(
      """
      union search_result = user_account | Post
      type user_account { a: Int }
      type Post { a: Int }
      enum order_by { asc_nulls_first }
      input where_clause @oneOf { by_id: ID }
      type Query { search(where_clause: where_clause!, order_by: order_by): search_result }
      """)
    #expect(module.text.contains("func onUserAccount(_ subfields: (UserAccountQuery) -> Void)"))
    #expect(module.text.contains("public final class UnknownSearchResult: "))
    #expect(module.text.contains("case ascNullsFirst\n"))
    #expect(module.text.contains("case byId(GraphQL.ID)"))
    #expect(module.text.contains("case .byId(let value): (\"by_id\", value)"))
    #expect(module.text.contains("whereClause: WhereClause"))
    #expect(
      module.text.contains("_arg(\"where_clause\"")
        || module.text.contains("\"where_clause\", whereClause"))
  }

  @Test(
    "Acronyms are written in capitals unless a member begins with them",
    arguments: [
      ("image_url", "imageURL"), ("imageUrl", "imageURL"), ("imageURL", "imageURL"), ("url", "url"),
      ("urlText", "urlText"), ("url_text", "urlText"), ("user_ids", "userIDs"),
      ("userId", "userID"),
      ("identity", "identity"), ("descriptionHtmlText", "descriptionHTMLText"), ("curl", "curl"),
      ("HTMLBody", "htmlBody"),
    ])
  func writesAcronymsInCapitals(name: String, swiftName: String) throws {
    let module = try Generation(
      "type Query { \(name): Int }",
      configuration: Configuration(namespace: "Shop", acronyms: ["id", "url", "html"]))
    #expect(module.text.contains("public var \(swiftName): Int? { _intOpt(\"\(name)\") }"))
  }

  @Test func typesBeginWithAcronymsInCapitals() throws {
    let module = try Generation(
      "type HtmlPage { a: Int } type Query { x: HtmlPage }",
      configuration: Configuration(namespace: "Shop", acronyms: ["html"]))
    #expect(module.declaration("public final class HTMLPage: _Response") != nil)
  }

  @Test func asWrittenKeepsNames() throws {
    let module = try Generation(
      "enum sort_key { BEST_FIRST } type Query { users_by_pk(order_by: sort_key): Int }",
      configuration: .asWritten)
    #expect(module.declaration("public enum sort_key: GraphQL.Enum") != nil)
    #expect(module.text.contains("case BEST_FIRST\n"))
    #expect(module.text.contains("func users_by_pk("))
    #expect(module.text.contains("order_by: sort_key? = nil"))
  }

  @Test(
    "Two names that become one are an error with both positions",
    arguments: [
      (
        "type Query { created_at: Int\ncreatedAt: Int }", "Query.created_at", "Query.createdAt",
        "createdAt"
      ),
      ("enum E { FOO_BAR\nfooBar }", "E.FOO_BAR", "E.fooBar", "fooBar"),
      ("input I { a_b: Int\naB: Int }", "I.a_b", "I.aB", "aB"),
      ("type Query { x(a_b: Int\naB: Int): Int }", "Query.x(a_b:)", "Query.x(aB:)", "aB"),
      (
        "type order_item { a: Int }\ntype OrderItem { a: Int }", "order_item", "OrderItem",
        "OrderItem"
      ),
      ("directive @a_b on QUERY\ndirective @aB on QUERY", "@a_b", "@aB", "aB"),
      ("directive @d(a_b: Int\naB: Int) on QUERY", "@d(a_b:)", "@d(aB:)", "aB"),
    ])
  func conflictsAreErrors(sdl: String, first: String, second: String, swiftName: String) throws {
    let error = #expect(throws: Diagnostics.self) { try Generation(sdl) }
    let conflict = try #require(error?.elements.first)
    #expect(error?.elements.count == 1)
    #expect(conflict.code == "NameConflict")
    for text in [first, second, swiftName] { #expect(conflict.message.contains("\"\(text)\"")) }
    #expect(Set([conflict.position?.line, conflict.notes.first?.position?.line]) == [1, 2])
    #expect(conflict.suggestion?.contains("\"rename\": { \"") == true)
    #expect(conflict.suggestion?.contains("\"naming\": \"asWritten\"") == true)
  }
}

extension Configuration {
  /// Names as in the schema.
  static var asWritten: Configuration { Configuration(namespace: "Shop", naming: .asWritten) }
}
