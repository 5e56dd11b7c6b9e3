import GraphQLRuntime
import Testing

/// Explicit nulls, and directives, which are declared before the field that they belong to.
@Suite struct DirectiveTests {
  @Test func nullIsSentAsAVariable() throws {
    let operation = try Shop.buildQuery {
      $0.products { $0.null("after", "first").images { $0.height() } }
    }.operation()
    #expect(
      operation.document
        == "query($after1:String,$first2:Int){products{images(after:$after1,first:$first2){height}}}"
    )
    #expect(operation.variablesText == #"{"after1":null,"first2":null}"#)
  }

  @Test func nullArgumentsAreCheckedAgainstSchema() {
    #expect(
      problems(Shop.buildQuery { $0.products { $0.null("size").images { $0.height() } } })
        == ["products.images: there is no argument `size` to send as null"])
    #expect(
      problems(Shop.buildQuery { $0.null("id").node(id: "1") { $0.id() } })
        == ["node: argument `id` is of type ID! and cannot be null"])
    #expect(
      problems(Shop.buildQuery { $0.null("first").products(first: 1) { $0.id() } })
        == ["products: argument `first` has both a value and null"])
    #expect(
      problems(
        Shop.buildQuery { $0.null("a").node(id: "1") { $0.null("b").onProduct { $0.id() } } })
        == [
          "node: there is no argument `a` to send as null",
          "node: there is no argument `b` to send as null",
        ])
    let root = Shop.QueryRootQuery()
    root.null("a").addField(field: "flags", args: "(a1: 1)")
    #expect(
      problems(root)
        == ["flags: `null` applies to typed arguments only; write null in the text of `args`"])
  }

  @Test func sendsConditionsAsVariables() throws {
    func operation(_ condition: Bool) throws -> GraphQL.Operation<Shop.QueryRoot> {
      try Shop.buildQuery {
        $0.include(if: condition).flags().node(id: "1") {
          $0.skip(if: condition).onProduct { $0.title() }
        }
      }.operation()
    }
    #expect(
      try operation(true).document
        == "query($if1:Boolean!,$id2:ID!,$if3:Boolean!){flags @include(if:$if1) "
        + "node(id:$id2){__typename ...on Product @skip(if:$if3){title}}}")
    #expect(try operation(true).variablesText == #"{"if1":true,"id2":"1","if3":true}"#)
    #expect(try operation(true).document == operation(false).document)
  }

  @Test func appliesDirectivesToFieldsFragmentsAndOperations() throws {
    let card = Shop.ProductQuery.fragment("Card") { $0.id() }
    let operation = try Shop.buildQuery(directives: [.cached(ttl: 1), .inContext()]) {
      $0.directive(.cached(ttl: 2)).products {
        $0.directive(.cached(ttl: 3)).include(if: true).spread(card)
      }
    }.operation()
    #expect(
      operation.document
        == "query($ttl1:Int!,$ttl2:Int!,$ttl3:Int!,$if4:Boolean!) @cached(ttl:$ttl1) @inContext"
        + "{products @cached(ttl:$ttl2){...Card @cached(ttl:$ttl3) @include(if:$if4)}} "
        + "fragment Card on Product{id}")
  }

  @Test func readableTextContainsConditionValues() {
    let query = Shop.buildQuery { $0.skip(if: false).flags() }
    #expect(query.description == "{\n  flags @skip(if: false)\n}")
  }

  @Test func reportsNullOrDirectiveWithoutSelection() {
    let message = "no selection follows `null`, `include`, `skip` or `directive`"
    #expect(problems(Shop.buildQuery { $0.flags().include(if: true) }) == [message])
    #expect(
      problems(Shop.buildQuery { $0.products { $0.id().null("a") } }) == ["products: \(message)"])
  }
}
