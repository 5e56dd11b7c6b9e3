import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphWebSocket

let checks = Checks()
let client = checks.client()

await checks.check("scalars of the framework") {
  let query = API.buildQuery {
    $0.books(first: 1) {
      $0.edges {
        $0.note().node {
          $0.id().title().genre().publishedOn().addedAt().opensAt().price().barcode().metadata()
          $0.size()
        }
      }
    }
  }
  let edge = try await client.query(query).requireData().books?.edges.first
  let book = edge??.node
  return edge??.note == "an edge" && book?.title == "Book 1" && book?.genre == .scienceFiction
    && book?.publishedOn?.description == "1961-04-12"
    && book?.addedAt == Date(timeIntervalSince1970: 1_767_323_045) && book?.opensAt == "09:30:00"
    && book?.price == Decimal(string: "12.30") && book?.size?.description == "1099511627776"
}

await checks.check("pages of a connection, and a node by its global identifier") {
  var cursor: String?
  var titles: [String] = []
  var first: GraphQL.ID?
  repeat {
    let page = try await client.query(
      API.buildQuery {
        $0.books(after: cursor, first: 2) {
          $0.pageInfo { $0.hasNextPage().endCursor() }.edges { $0.node { $0.id().title() } }
        }
      }
    ).requireData().books
    let nodes = page?.edges.compactMap { $0?.node } ?? []
    first = first ?? nodes.first?.id
    titles += nodes.map(\.title)
    cursor = page?.pageInfo.hasNextPage == true ? page?.pageInfo.endCursor : nil
  } while cursor != nil
  guard titles == (1...5).map({ "Book \($0)" }), let first else { return false }
  let node = try await client.query(
    API.buildQuery { $0.node(id: first) { $0.onBook { $0.title() } } }
  ).requireData().node
  return (node as? API.Book)?.title == "Book 1"
}

await checks.check("union") {
  let found = try await client.query(
    API.buildQuery {
      $0.search(text: "Ada") { $0.onBook { $0.title() }.onAuthor { $0.name() } }
    }
  ).requireData().search
  return (found?.last as? API.Author)?.name == "Ada"
}

await checks.check("error of a resolver") {
  let response = try await client.query(API.buildQuery { $0.broken() })
  return response.data != nil && response.errors.first?.message == "The shelf is broken."
}

await checks.check("mutation with a client's identifier") {
  let input = API.AddBookInput(title: "New", clientMutationId: "m1")
  let payload = try await client.mutate(
    API.buildMutation {
      $0.addBook(input: input) { $0.clientMutationId().book { $0.title().genre() } }
    }
  ).requireData().addBook
  return payload?.clientMutationId == "m1" && payload?.book?.title == "New"
    && payload?.book?.genre == .novel
}

await checks.check("upload") {
  let file = GraphQL.Upload(.data(Data(repeating: 7, count: 100_000)), fileName: "cover.png")
  let mutation = API.buildMutation { $0.addCover(file: file) { $0.size() } }
  return try await client.mutate(mutation).data?.addCover?.size == 100_000
}

let socketClient = checks.socketClient(.graphQLWS)

await checks.check("subscription over the older protocol") {
  var pages: [Int?] = []
  let subscription = API.buildSubscription { $0.pageTurned(to: 3) }
  for try await event in socketClient.subscribe(subscription, over: .webSocket) {
    pages.append(try event.requireData().pageTurned)
  }
  return pages == [0, 1, 2]
}

// This server sends no `complete` after the response to a query, and an error without the data.
await checks.check("queries and errors over the older protocol") {
  for _ in 0..<3 {
    let query = API.buildQuery { $0.books(first: 1) { $0.edges { $0.node { $0.title() } } } }
    let books = try await socketClient.query(query).requireData().books
    guard books?.edges.first??.node?.title == "Book 1" else { return false }
  }
  let response = try await socketClient.query(API.buildQuery { $0.broken() })
  return response.errors.first?.message == "The shelf is broken."
}

checks.finish()
