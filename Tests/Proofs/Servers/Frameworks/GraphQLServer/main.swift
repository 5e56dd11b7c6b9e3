import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphWebSocket

let checks = Checks()
let client = checks.client()

await checks.check("nested input objects in snake case") {
  let inner = API.Item(name: "screw", weight: .init(0.5))
  let item = API.Item(name: "box", subItems: .init([inner]), big: .init("9007199254740993"))
  let query = API.buildQuery {
    $0._version().echo(items: [item], byColor: .darkGreen) {
      $0.name().big().color().subItems { $0.name().weight() }
    }
  }
  let data = try await client.query(query).requireData()
  let box = data.echo.first
  return data._version == "1" && box?.name == "box" && box?.big == "9007199254740993"
    && box?.color == .darkGreen && box?.subItems?.first?.weight == 0.5
}

await checks.check("null where the schema allows none") {
  let response = try await client.query(API.buildQuery { $0.missing { $0.name() } })
  return response.data == nil && response.errors.first?.path.isEmpty == false
}

await checks.check("code of an error") {
  let response = try await client.query(API.buildQuery { $0.secret()._version() })
  return response.data?._version == "1"
    && response.errors.first?.extensions?["code"] == "UNAUTHENTICATED"
}

await checks.check("uploads in lists of lists") {
  let groups = [["a", "bc"], ["def"]].map { group in
    group.map { GraphQL.Upload(.data(Data($0.utf8)), fileName: $0) }
  }
  let mutation = API.buildMutation { $0.uploadAll(files: groups) }
  return try await client.mutate(mutation).data?.uploadAll == [3, 3]
}

for subprotocol in Graph.WebSocketSubprotocol.allCases {
  let client = checks.client { $0.webSocket.subprotocol = subprotocol }
  await checks.check("a hundred events over \(subprotocol)") {
    var values: [Int] = []
    let subscription = API.buildSubscription { $0.ticks(count: 100) }
    for try await event in client.subscribe(subscription, over: .webSocket) {
      values.append(try event.requireData().ticks)
    }
    return values == Array(0..<100)
  }
  await checks.check("a subscription over \(subprotocol) that stops early leaves the others") {
    var first: Int?
    for try await event in client.subscribe(
      API.buildSubscription { $0.ticks(count: 1_000_000) }, over: .webSocket)
    {
      first = event.data?.ticks
      break
    }
    var rest: [Int] = []
    for try await event in client.subscribe(
      API.buildSubscription { $0.ticks(count: 2) }, over: .webSocket)
    {
      rest.append(try event.requireData().ticks)
    }
    return first == 0 && rest == [0, 1]
  }
}

checks.finish()
