import GraphQLRuntime

extension Shop {
  public final class ArticleQuery: _Query {
    @discardableResult public func body(alias: String? = nil) -> ArticleQuery {
      _field("body", alias)
      return self
    }
    @discardableResult public func id(alias: String? = nil) -> ArticleQuery {
      _field("id", alias)
      return self
    }
    @discardableResult public func title(alias: String? = nil) -> ArticleQuery {
      _field("title", alias)
      return self
    }
  }

  public final class FeedQuery: _Query {
    @discardableResult public func removed(
      alias: String? = nil, id: GraphQL.ID, _ subfields: (ProductQuery) -> Void
    ) -> FeedQuery {
      _field("removed", alias)
      _arg("id", id)
      _child(subfields)
      return self
    }
    @discardableResult public func changed(
      alias: String? = nil, id: GraphQL.ID, _ subfields: (ProductQuery) -> Void
    ) -> FeedQuery {
      _field("changed", alias)
      _arg("id", id)
      _child(subfields)
      return self
    }
  }

  public final class ImageQuery: _Query {
    @discardableResult public func height(alias: String? = nil) -> ImageQuery {
      _field("height", alias)
      return self
    }
    @discardableResult public func url(alias: String? = nil, width: Int? = nil) -> ImageQuery {
      _field("url", alias)
      _arg("width", width)
      return self
    }
  }

  public final class MutationQuery: _Query {
    @discardableResult public func attach(
      alias: String? = nil, file: GraphQL.Upload, files: [GraphQL.Upload]? = nil,
      meta: GraphQL.JSON? = nil
    ) -> MutationQuery {
      _field("attach", alias)
      _arg("file", file)
      _arg("files", files)
      _arg("meta", meta)
      return self
    }
    @discardableResult public func rename(
      alias: String? = nil, id: GraphQL.ID, input: RenameInput,
      _ subfields: (ProductQuery) -> Void
    ) -> MutationQuery {
      _field("rename", alias)
      _arg("id", id)
      _arg("input", input)
      _child(subfields)
      return self
    }
  }

  public final class NamedQuery: _Query {
    @discardableResult public func owner(
      alias: String? = nil, _ subfields: (NodeQuery) -> Void
    ) -> NamedQuery {
      _field("owner", alias)
      _child(subfields)
      return self
    }
    @discardableResult public func onProduct(_ subfields: (ProductQuery) -> Void) -> NamedQuery {
      _on("Product", subfields)
      return self
    }
    @discardableResult public func id(alias: String? = nil) -> NamedQuery {
      _field("id", alias)
      return self
    }
    @discardableResult public func title(alias: String? = nil) -> NamedQuery {
      _field("title", alias)
      return self
    }
  }

  public final class NodeQuery: _Query {
    @discardableResult public func id(alias: String? = nil) -> NodeQuery {
      _field("id", alias)
      return self
    }
    @discardableResult public func onArticle(_ subfields: (ArticleQuery) -> Void) -> NodeQuery {
      _on("Article", subfields)
      return self
    }
    @discardableResult public func onNamed(_ subfields: (NamedQuery) -> Void) -> NodeQuery {
      _on("Named", subfields)
      return self
    }
    @discardableResult public func onProduct(_ subfields: (ProductQuery) -> Void) -> NodeQuery {
      _on("Product", subfields)
      return self
    }
  }

  public final class ProductQuery: _Query {
    @discardableResult public func big(alias: String? = nil) -> ProductQuery {
      _field("big", alias)
      return self
    }
    @discardableResult public func day(alias: String? = nil) -> ProductQuery {
      _field("day", alias)
      return self
    }
    @discardableResult public func meta(alias: String? = nil) -> ProductQuery {
      _field("meta", alias)
      return self
    }
    @discardableResult public func points(alias: String? = nil) -> ProductQuery {
      _field("points", alias)
      return self
    }
    @discardableResult public func owner(
      alias: String? = nil, _ subfields: (ArticleQuery) -> Void
    ) -> ProductQuery {
      _field("owner", alias)
      _child(subfields)
      return self
    }
    @discardableResult public func available(alias: String? = nil) -> ProductQuery {
      _field("available", alias)
      return self
    }
    @discardableResult public func code(alias: String? = nil) -> ProductQuery {
      _field("code", alias)
      return self
    }
    @discardableResult public func codes(alias: String? = nil) -> ProductQuery {
      _field("codes", alias)
      return self
    }
    @discardableResult public func createdAt(alias: String? = nil) -> ProductQuery {
      _field("createdAt", alias)
      return self
    }
    @discardableResult public func id(alias: String? = nil) -> ProductQuery {
      _field("id", alias)
      return self
    }
    @discardableResult public func image(
      alias: String? = nil, size: Int? = nil, crop: Color? = nil,
      _ subfields: (ImageQuery) -> Void
    ) -> ProductQuery {
      _field("image", alias)
      _arg("size", size)
      _arg("crop", crop)
      _child(subfields)
      return self
    }
    @discardableResult public func images(
      alias: String? = nil, first: Int? = nil, after: String? = nil, ids: [GraphQL.ID]? = nil,
      _ subfields: (ImageQuery) -> Void
    ) -> ProductQuery {
      _field("images", alias)
      _arg("first", first)
      _arg("after", after)
      _arg("ids", ids)
      _child(subfields)
      return self
    }
    @discardableResult public func legacy__id(alias: String? = nil) -> ProductQuery {
      _field("legacy__id", alias)
      return self
    }
    @discardableResult public func matrix(alias: String? = nil) -> ProductQuery {
      _field("matrix", alias)
      return self
    }
    @discardableResult public func price(alias: String? = nil) -> ProductQuery {
      _field("price", alias)
      return self
    }
    @discardableResult public func rating(alias: String? = nil) -> ProductQuery {
      _field("rating", alias)
      return self
    }
    @discardableResult public func related(
      alias: String? = nil, _ subfields: (NodeQuery) -> Void
    ) -> ProductQuery {
      _field("related", alias)
      _child(subfields)
      return self
    }
    @discardableResult public func tags(alias: String? = nil) -> ProductQuery {
      _field("tags", alias)
      return self
    }
    @discardableResult public func title(alias: String? = nil) -> ProductQuery {
      _field("title", alias)
      return self
    }
  }

  public final class QueryRootQuery: _Query {
    @discardableResult public func flags(
      alias: String? = nil, a: Int? = nil, a1: Int? = nil
    ) -> QueryRootQuery {
      _field("flags", alias)
      _arg("a", a)
      _arg("a1", a1)
      return self
    }
    @discardableResult public func nodes(
      alias: String? = nil, ids: [GraphQL.ID?], _ subfields: (NodeQuery) -> Void
    ) -> QueryRootQuery {
      _field("nodes", alias)
      _arg("ids", ids)
      _child(subfields)
      return self
    }
    @discardableResult public func node(
      alias: String? = nil, id: GraphQL.ID, _ subfields: (NodeQuery) -> Void
    ) -> QueryRootQuery {
      _field("node", alias)
      _arg("id", id)
      _child(subfields)
      return self
    }
    @discardableResult public func product(
      alias: String? = nil, by: ProductBy? = nil, handle: String? = nil,
      _ subfields: (ProductQuery) -> Void
    ) -> QueryRootQuery {
      _field("product", alias)
      _arg("by", by)
      _arg("handle", handle)
      _child(subfields)
      return self
    }
    @discardableResult public func products(
      alias: String? = nil, first: Int? = nil, _ subfields: (ProductQuery) -> Void
    ) -> QueryRootQuery {
      _field("products", alias)
      _arg("first", first)
      _child(subfields)
      return self
    }
    @discardableResult public func search(
      alias: String? = nil, query: String, _ subfields: (ResultQuery) -> Void
    ) -> QueryRootQuery {
      _field("search", alias)
      _arg("query", query)
      _child(subfields)
      return self
    }
  }

  public final class ResultQuery: _Query {
    @discardableResult public func onArticle(_ subfields: (ArticleQuery) -> Void) -> ResultQuery {
      _on("Article", subfields)
      return self
    }
    @discardableResult public func onNode(_ subfields: (NodeQuery) -> Void) -> ResultQuery {
      _on("Node", subfields)
      return self
    }
    @discardableResult public func onProduct(_ subfields: (ProductQuery) -> Void) -> ResultQuery {
      _on("Product", subfields)
      return self
    }
  }
}
