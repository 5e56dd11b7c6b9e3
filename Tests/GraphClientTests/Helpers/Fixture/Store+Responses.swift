import GraphQLRuntime

extension Store {
  protocol Node: GraphQL.AbstractResponse {}
  final class UnknownNode: _Response, Node, @unchecked Sendable {}

  final class Customer: _Response, Node, @unchecked Sendable {
    var email: String { _string("email") }
    var id: GraphQL.ID { _id("id") }
  }

  final class Mutation: _Response, @unchecked Sendable {
    var attach: Shop? { _oneOpt("attach") }
    var rename: Shop? { _oneOpt("rename") }
  }

  final class QueryRoot: _Response, @unchecked Sendable {
    var customer: Customer? { _oneOpt("customer") }
    var node: (any Node)? { _anyOpt("node") }
    var shop: Shop { _one("shop") }
  }

  final class Shop: _Response, Node, @unchecked Sendable {
    var color: Color? { _value("color") }
    var employees: Int? { _intOpt("employees") }
    var id: GraphQL.ID { _id("id") }
    var legacy__id: String? { _stringOpt("legacy__id") }
    var name: String { _string("name") }
    var opened: GraphQL.DateTime? { _value("opened") }
    var site: GraphQL.URL? { _value("site") }
    var tags: [String] { _value("tags") }
  }

  final class Subscription: _Response, @unchecked Sendable {
    var tick: Int { _int("tick") }
  }
}
