import Foundation
import GraphQLRuntime
import GraphStore

func pageQuery(_ after: String?) -> Sample.QueryQuery {
  Sample.buildQuery {
    $0.products(first: 50, after: after) {
      $0.edges { $0.cursor().node { $0.id().title() } }.pageInfo { $0.hasNextPage().endCursor() }
    }
  }
}

func pageData(_ number: Int) -> String {
  let edges = (number * 50..<number * 50 + 50).map {
    #"{"cursor":"c\#($0)","node":{"id":"p\#($0)","title":"Product \#($0)"}}"#
  }
  return #"""
    {"data":{"products":{"edges":[\#(edges.joined(separator: ","))],
    "pageInfo":{"hasNextPage":true,"endCursor":"c\#(number * 50 + 49)"}}}}
    """#
}

private func cursor(before number: Int) -> String? { number == 0 ? nil : "c\(number * 50 - 1)" }

/// Appending a page, and reading one, in a list with few nodes and in one with many.
func reportConnections() async throws {
  for nodes in [100, 10_000] {
    var append = Row("append a page to \(nodes) nodes", count: 1)
    var read = Row("read a page of \(nodes) nodes", count: 1)
    let store = try Graph.Store(
      schema: Sample.schema, file: folder.appending(path: "list-\(nodes)"))
    for number in 0..<nodes / 50 + 20 {
      let operation = try pageQuery(cursor(before: number)).operation()
      let response = try operation.response(from: Array(pageData(number).utf8))
      let time = try await microseconds { try await store.write(response, of: operation) }
      if number < nodes / 50 { continue }
      append.store.append(time)
      read.store.append(
        try microseconds {
          let response = try store.read(operation)
          precondition(response.missing.isEmpty)
        })
    }
    append.report()
    read.report()
  }
}

/// One change without observers, and with 10,000 observers of other objects.
func reportObservers() async throws {
  let store = try Graph.Store(schema: Sample.schema, file: folder.appending(path: "observed"))
  var none = Row("one change, no observers", count: 200)
  var many = Row("with 10,000 of other things", count: 200)
  var age = 0
  func change() async throws {
    for _ in 0..<200 {
      age += 1
      try await store.write(
        json: Array(#"{"id":"1","age":\#(age)}"#.utf8), as: Sample.Person.self)
    }
  }
  try await change()
  for _ in 0..<9 {
    none.store.append(try await microseconds { try await change() })
    var observers: [Graph.ObjectStates<Sample.Person>.Iterator] = []
    for number in 0..<10_000 {
      var observer = try store.states(of: Sample.Person.self, key: "other \(number)")
        .makeAsyncIterator()
      _ = try await observer.next()
      observers.append(observer)
    }
    many.store.append(try await microseconds { try await change() })
    withExtendedLifetime(observers) {}
  }
  none.report()
  many.report()
}
