// Usage: program print > documents.jsonl
//        program read results.jsonl
//
// The part of an application that uses the storefront. It is built against the whole module and
// against a pruned one, and its output must not differ. In the import below, only the module's name
// is replaced.
import API
import Foundation
import GraphJSON
import GraphQLRuntime

let card = Storefront.ProductQuery.fragment("Card") {
  $0
    .id().title().vendor().availableForSale()
    .priceRange { $0.min { $0.amount().currencyCode() } }
}

let home = Storefront.buildQuery(named: "Home", directives: [.inContext(country: .ca)]) {
  $0
    .shop { $0.name().description() }
    .products(first: 2, sortKey: .bestSelling) {
      $0
        .pageInfo { $0.hasNextPage().endCursor() }
        .nodes {
          $0
            .spread(card)
            .images(first: 2) { $0.url().altText() }
            .variants(first: 2) { $0.nodes { $0.id().sku().price { $0.amount() } } }
        }
    }
    .collections(first: 1) { $0.edges { $0.cursor().node { $0.title().handle() } } }
}

let details = Storefront.buildQuery {
  $0
    .node(alias: "first", id: "1") {
      $0
        .onProduct { $0.spread(card) }
        .onCollection { $0.title() }
    }
    .null("after").search(query: "hat", first: 2) {
      $0
        .nodes { $0.onProduct { $0.title(alias: "name") }.onArticle { $0.title() } }
    }
}

let add = Storefront.buildMutation {
  $0
    .cartLinesAdd(cartId: "c", lines: [Storefront.CartLineInput(merchandiseId: "v", quantity: 2)]) {
      $0
        .cart { $0.id().cost { $0.total { $0.amount().currencyCode() } } }
        .userErrors { $0.field().message() }
    }
}

func show(_ product: Storefront.Product) {
  let price = product.priceRange.min
  print(product.id, product.title, product.vendor, product.availableForSale)
  print(price.amount, price.currencyCode.rawValue)
}

func read(_ root: Storefront.QueryRoot) {
  print(root.shop.name, root.shop.description ?? "-")
  let page = root.products.pageInfo
  print(page.hasNextPage, page.endCursor ?? "-")
  for product in root.products.nodes {
    show(product)
    for image in product.images { print(image.url, image.altText ?? "-") }
    for variant in product.variants.nodes {
      print(variant.id, variant.sku ?? "-", variant.price.amount)
    }
  }
  for edge in root.collections.edges { print(edge.cursor, edge.node.title, edge.node.handle) }
}

func readDetails(_ root: Storefront.QueryRoot) {
  switch root.aliasedNode(alias: "first") {
  case let product as Storefront.Product: show(product)
  case let collection as Storefront.Collection: print(collection.title)
  case let other: print(other?.__typename ?? "-")
  }
  for result in root.search.nodes {
    if let product = result as? Storefront.Product { print(product.value(\.title, alias: "name")) }
    if let article = result as? Storefront.Article { print(article.title) }
    print(result.__typename)
  }
}

func read(_ root: Storefront.Mutation) {
  let payload = root.cartLinesAdd
  print(
    payload.cart?.id ?? "-",
    payload.cart.map { "\($0.cost.total.amount) \($0.cost.total.currencyCode)" } ?? "-")
  for error in payload.userErrors { print(error.field ?? [], error.message, error.__typename) }
}

func run<Query: GraphQL.OperationBuilder>(
  _ name: String, _ query: Query, _ responses: [String: [UInt8]]?, _ read: (Query.Response) -> Void
) throws {
  let operation = try query.operation()
  guard let responses else {
    let line = try JSONSerialization.data(
      withJSONObject: ["name": name, "document": operation.document], options: .sortedKeys)
    let variables = String(decoding: operation.variables, as: UTF8.self)
    return print(String(decoding: line.dropLast(), as: UTF8.self) + ",\"variables\":\(variables)}")
  }
  guard let bytes = responses[name], let root = try operation.response(from: bytes).data else {
    throw CocoaError(.coderInvalidValue)
  }
  print("== \(name)\n\(query)")
  read(root)
}

var responses: [String: [UInt8]]?
if CommandLine.arguments.dropFirst().first == "read" {
  let text = try String(contentsOfFile: CommandLine.arguments[2], encoding: .utf8)
  responses = [:]
  for line in text.split(separator: "\n") {
    let result = try JSONDocument(parsing: String(line)).root
    if let name = result["name"]?.string, let response = result["response"] {
      responses?[name] = Array(result.document.source(at: response.index))
    }
  }
}
try run("home", home, responses, read)
try run("details", details, responses, readDetails)
try run("add", add, responses, read)
