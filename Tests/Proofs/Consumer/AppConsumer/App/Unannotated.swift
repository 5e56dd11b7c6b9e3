#if MAIN_ACTOR
  import GraphClient
  import GraphQLRuntime
  import GraphStore

  /// Types as they are written where the main actor is the default.
  struct Row: Identifiable, Hashable {
    let id: GraphQL.ID
    let title: String

    init(_ product: Shop.Product) {
      id = product.id
      title = product.label
    }
  }

  final class SearchModel {
    var rows: [Row] = []
    var onChange: () -> Void = {}
    var live: Graph.LiveObject<Shop.Cart>?

    func search(with client: Graph.Client, in store: Graph.Store) async throws {
      let query = Shop.buildQuery(named: "List") { query in
        query.products(first: 3) { product in
          product.id().title().maker().price()
        }
      }
      let data = try await client.query(query).requireData()
      rows = data.products.map(Row.init).sorted { $0.title < $1.title }
      live = try Graph.LiveObject(Shop.Cart.self, key: "1", in: store)
      onChange()
    }

    func titles(_ root: Shop.Query) -> [String] { root.products.map(\.title) }
  }

  protocol Labelled { var label: String { get } }
  extension Shop.Product: Labelled {}
#endif
