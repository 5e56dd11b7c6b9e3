import Testing

@Suite struct ArgumentTests {
  @Test func argumentsFollowAliasInSchemaOrder() throws {
    let module = try Generation(
      """
      type Query {
        products(first: Int, after: String!, ids: [ID!]!, grid: [[Int]], sort: Sort = TITLE,
          count: Int! = 10, filter: Filter): Int
      }
      enum Sort { TITLE }
      input Filter { a: Int }
      """)
    #expect(
      module.declaration("public final class QueryQuery") == """
        public final class QueryQuery: _Query {
          /// - Parameter sort: Default: `TITLE`.
          /// - Parameter count: Default: `10`.
          @discardableResult
          public func products(
            alias: String? = nil,
            first: Int? = nil,
            after: String,
            ids: [GraphQL.ID],
            grid: [[Int?]?]? = nil,
            sort: Sort? = nil,
            count: Int? = nil,
            filter: Filter? = nil
          ) -> QueryQuery {
            _field(0, alias)
            _arg("first", first)
            _arg("after", after)
            _arg("ids", ids)
            _arg("grid", grid)
            _arg("sort", sort)
            _arg("count", count)
            _arg("filter", filter)
            return self
          }
        }
        """)
  }

  @Test func keywordsAndReservedNamesBecomeLabels() throws {
    let module = try Generation(
      """
      type Query {
        f(in: Int!, self: Int!, init: Int!, inout: Int!, let: Int, alias: Int, subfields: Int,
          _arg: Int, _: Int): Query
      }
      """)
    #expect(
      module.declaration("public final class QueryQuery") == """
        public final class QueryQuery: _Query {
          @discardableResult
          public func f(
            alias: String? = nil,
            in in_: Int,
            self self_: Int,
            init init_: Int,
            `inout` inout_: Int,
            `let` let_: Int? = nil,
            alias_: Int? = nil,
            subfields subfields_: Int? = nil,
            _arg _arg_: Int? = nil,
            __: Int? = nil,
            _ subfields: (QueryQuery) -> Void
          ) -> QueryQuery {
            _field(0, alias)
            _arg("in", in_)
            _arg("self", self_)
            _arg("init", init_)
            _arg("inout", inout_)
            _arg("let", let_)
            _arg("alias", alias_)
            _arg("subfields", subfields_)
            _arg("_arg", _arg_)
            _arg("_", __)
            _child(subfields)
            return self
          }
        }
        """)
  }

  @Test func renamedLabelsAreUnique() throws {
    let module = try Generation("type Query { f(alias: Int, alias_: Int): Int }")
    let text = module.text
    #expect(text.contains("f(alias: String? = nil, alias__: Int? = nil, alias_: Int? = nil)"))
    #expect(text.contains("_arg(\"alias\", alias__)"))
    #expect(text.contains("_arg(\"alias_\", alias_)"))
  }
}
