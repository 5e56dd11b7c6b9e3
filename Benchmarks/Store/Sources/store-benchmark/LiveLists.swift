import Foundation
import GraphClient
import GraphLive
import GraphQLRuntime
import GraphStore

/// Responds to each request with the next page.
private actor PageServer: Graph.Transport {
  private var number = 0

  func send(_ request: Graph.HTTPRequest) -> Graph.HTTPResponse {
    let bytes = Array(pageData(number).utf8)
    number += 1
    return Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url,
      body: Graph.HTTPResponse.Body(
        AsyncStream {
          $0.yield(bytes)
          $0.finish()
        }))
  }
}

@MainActor private func products(
  _ client: Graph.Client, _ policy: Graph.CachePolicy
) -> Graph.LivePages<Sample.Product> {
  Graph.LivePages(in: client, cachePolicy: policy) { position in
    Graph.PageQuery(pageQuery(position.after)) { data in
      let info = data.products.pageInfo
      return Graph.Page(
        data.products.edges.map(\.node), hasNextPage: info.hasNextPage, endCursor: info.endCursor)
    }
  }
}

/// A page of 50 rows appended to a list that follows the store, until the list shows it; and the list at the next
/// start. Plain SQLite inserts the same rows.
@MainActor func reportLiveLists() async throws {
  for rows in [100, 10_000] {
    let store = try Graph.Store(
      schema: Sample.schema, file: folder.appending(path: "pages-\(rows)"))
    let raw = RawSQLite(path: folder.appending(path: "pages-\(rows).sqlite").path)
    let client = Graph.Client(
      endpoint: URL(string: "https://localhost")!, transport: PageServer(), store: store)
    let list = products(client, .networkOnly)
    var append = Row("a page in a list of \(rows)", count: 1)
    var elapsed: [Double] = []
    for number in 0..<rows / 50 + 20 {
      let inserted = (number * 50..<number * 50 + 50).map {
        (
          key: Array("p\($0)".utf8),
          record: Array(#"{"__typename":"Product","id":"p\#($0)","title":"Product \#($0)"}"#.utf8)
        )
      }
      let plain = try await onQueue { raw.insert(inserted) }
      let clock = ContinuousClock()
      let start = clock.now
      // Includes the observers of the other pages, which read what has changed.
      let before = processorTime()
      await list.loadNext()
      let time = processorTime() - before
      precondition(list.phase == .idle && list.items.count == (number + 1) * 50)
      if number < rows / 50 { continue }
      elapsed.append((clock.now - start) / .microseconds(1))
      append.store.append(time)
      append.raw.append(plain)
    }
    append.report()
    print(
      "".padding(toLength: 30, withPad: " ", startingAt: 0)
        + String(format: "%8.2f us elapsed", elapsed.sorted()[elapsed.count / 2]))
    var begin = Row("a stored list of \(rows) begins", count: 1)
    for _ in 0..<5 {
      let before = processorTime()
      let list = products(client, .cacheOnly)
      begin.store.append(processorTime() - before)
      precondition(list.items.count == rows + 1000)
    }
    begin.report()
  }
}
