import GraphQLRuntime

extension Store {
  final class CustomerQuery: _Query {
    @discardableResult func email() -> CustomerQuery {
      _field("email", nil)
      return self
    }
    @discardableResult func id() -> CustomerQuery {
      _field("id", nil)
      return self
    }
  }

  final class MutationQuery: _Query {
    @discardableResult func attach(
      file: GraphQL.Upload, note: String? = nil, _ subfields: (ShopQuery) -> Void
    ) -> MutationQuery {
      _field("attach", nil)
      _arg("file", file)
      _arg("note", note)
      _child(subfields)
      return self
    }
    @discardableResult func rename(
      name: String, _ subfields: (ShopQuery) -> Void
    ) -> MutationQuery {
      _field("rename", nil)
      _arg("name", name)
      _child(subfields)
      return self
    }
  }

  final class NodeQuery: _Query {
    @discardableResult func id() -> NodeQuery {
      _field("id", nil)
      return self
    }
    @discardableResult func onShop(_ subfields: (ShopQuery) -> Void) -> NodeQuery {
      _on("Shop", subfields)
      return self
    }
  }

  final class QueryRootQuery: _Query {
    @discardableResult func customer(_ subfields: (CustomerQuery) -> Void) -> QueryRootQuery {
      _field("customer", nil)
      _child(subfields)
      return self
    }
    @discardableResult func node(
      id: GraphQL.ID, _ subfields: (NodeQuery) -> Void
    ) -> QueryRootQuery {
      _field("node", nil)
      _arg("id", id)
      _child(subfields)
      return self
    }
    @discardableResult func shop(
      alias: String? = nil, _ subfields: (ShopQuery) -> Void
    ) -> QueryRootQuery {
      _field("shop", alias)
      _child(subfields)
      return self
    }
  }

  final class ShopQuery: _Query {
    @discardableResult func color() -> ShopQuery {
      _field("color", nil)
      return self
    }
    @discardableResult func employees() -> ShopQuery {
      _field("employees", nil)
      return self
    }
    @discardableResult func id() -> ShopQuery {
      _field("id", nil)
      return self
    }
    @discardableResult func legacy__id(alias: String? = nil) -> ShopQuery {
      _field("legacy__id", alias)
      return self
    }
    @discardableResult func name() -> ShopQuery {
      _field("name", nil)
      return self
    }
    @discardableResult func opened() -> ShopQuery {
      _field("opened", nil)
      return self
    }
    @discardableResult func site() -> ShopQuery {
      _field("site", nil)
      return self
    }
    @discardableResult func tags(in language: String? = nil, first: Int? = nil) -> ShopQuery {
      _field("tags", nil)
      _arg("in", language)
      _arg("first", first)
      return self
    }
  }

  final class SubscriptionQuery: _Query {
    @discardableResult func tick(from: Int? = nil) -> SubscriptionQuery {
      _field("tick", nil)
      _arg("from", from)
      return self
    }
  }
}
