import BooksAPI
import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore

@main
struct Program {
  static func main() async throws {
    let service = Service(responses: [
      "List": """
      {"data":{"products":[{"__typename":"Product","id":"7","title":"Hat","maker":"Plume","price":1200,\
      "related":{"__typename":"Cart","id":"1","note":"old"}}],"cart":{"id":"1","note":"old"}}}
      """,
      "Book": #"{"data":{"book":{"id":"1","title":"Emma","genre":"NOVEL"}}}"#,
      "Note": #"{"data":{"note":{"cart":{"id":"1","note":"new"},"errors":[]}}}"#,
    ])
    let folder = FileManager.default.temporaryDirectory.appending(path: "app-consumer-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Graph.Store(schema: Shop.schema, file: folder.appending(path: "app.store"))
    let address = URL(string: "https://shop.example/graphql")!
    let client = Graph.Client(
      endpoint: address, transport: service, interceptors: [Token()], store: store)
    var configuration = Graph.Outbox.Configuration()
    configuration.verify = { _ in .unknown }
    configuration.conflicts["Cart"] = Session().rule()
    let outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
    try await run(client, store, outbox)
    try await run(Session(), service, address, store)
    await outbox.close()
  }

  @MainActor
  private static func run(
    _ session: Session, _ service: Service, _ address: URL, _ store: Graph.Store
  ) async throws {
    let client = session.makeClient(address, service)
    let products = try await session.products(of: "Plume", from: client)
    let totals = Totals()
    for product in products { await totals.add(product) }
    let prices = session.prices(from: client)
    prices.cancel()
    _ = await prices.result
    let draft = try await session.save(Draft(id: "2", note: "draft"), in: store)
    print(
      products.map(\.id), await totals.cents, try await session.notes(in: store) ?? "",
      draft?.note ?? "")
  }

  @MainActor
  private static func run(
    _ client: Graph.Client, _ store: Graph.Store, _ outbox: Graph.Outbox
  ) async throws {
    let model = ShopModel(client: client, store: store, outbox: outbox)
    var changes = 0
    model.onChange = { changes += 1 }
    await model.reload().value
    if let failure = model.failure { throw failure }
    print(model.products.map(\.label), model.book?.label ?? "no book")
    try model.follow()
    try await model.write("new")
    await model.outbox.flush()
    while model.note != "new" { await Task.yield() }
    print(model.note, try await model.cheapest()?.title ?? "nothing", changes > 0)
    #if MAIN_ACTOR
      let search = SearchModel()
      try await search.search(with: model.client, in: model.store)
      let labelled: [any Labelled] = model.products
      print(search.rows.map(\.title), search.live?.value?.note ?? "", labelled.map(\.label))
    #endif
    model.stop()
  }
}
