import GraphQLCodeGen
import GraphQLSchema
import Testing

@Suite struct AccessLevelTests {
  private static let sdl = """
    interface I { a: Int } type Query implements I { a: Int } enum E { A }
    input J { a: Int! } input K @oneOf { a: Int } directive @d on FIELD
    """

  @Test(arguments: [Configuration.AccessLevel.package, .internal])
  func restrictedAccessGeneratesNoPublicDeclarations(access: Configuration.AccessLevel) throws {
    let module = try Generation(
      Self.sdl, configuration: Configuration(namespace: "Shop", access: access))
    #expect(!module.text.contains("public"))
    #expect(module.text.contains("\(access.rawValue) final class Query: _Response"))
    #expect(module.text.contains("override \(access.rawValue) class var schema"))
  }

  @Test func openClassesHaveOpenMembers() throws {
    let module = try Generation(
      Self.sdl, configuration: Configuration(namespace: "Shop", classes: .open))
    #expect(
      module.declaration("open class Query:") == """
        open class Query: _Response, I, @unchecked Sendable {
          open var a: Int? { _intOpt("a") }
        }
        """)
    #expect(
      module.declaration("open class QueryQuery:") == """
        open class QueryQuery: _Query {
          @discardableResult
          open func a(alias: String? = nil) -> QueryQuery {
            _field(0, alias)
            return self
          }
        }
        """)
    #expect(module.declaration("open class _Query: GraphQL.AbstractQuery") != nil)
    #expect(module.declaration("open class UnknownI: _Response, I") != nil)
    #expect(!module.text.contains("final"))
  }

  @Test func openClassesRequirePublicAccess() throws {
    let configuration = Configuration(access: .package, classes: .open)
    let found = try diagnostics { _ = try Generation(Self.sdl, configuration: configuration) }
    #expect(found.map(\.code) == ["OpenNeedsPublic"])
  }
}
