import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphWebSocket

let checks = Checks()
let isOlder = checks.endpoint.path.contains("older")

@MainActor func client(token: String? = nil) -> Graph.Client {
  checks.socketClient(isOlder ? .graphQLWS : .graphQLTransportWS) { _ in
    token.map { ["token": .string($0)] }
  }
}

await checks.check("queries over HTTP") {
  let response = try await checks.client().query(
    API.buildQuery { $0.greeting(firstName: "Ada").price() })
  let data = try response.requireData()
  return data.greeting == "Hello, Ada!" && data.price?["amount"] == "10.50"
}

await checks.check("default value of an argument") {
  try await checks.client().query(API.buildQuery { $0.greeting() }).data?.greeting == "Hello, you!"
}

await checks.check("extensions of an error") {
  let response = try await checks.client().query(API.buildQuery { $0.forbidden().greeting() })
  return response.data?.greeting == "Hello, you!"
    && response.errors.first?.extensions?["code"] == "FORBIDDEN"
}

await checks.check("upload in an input object") {
  let file = GraphQL.Upload(.data(Data("text".utf8)), fileName: "a.txt")
  let mutation = API.buildMutation {
    $0.readFile(input: API.FileInput(file: file, note: "short")) { $0.content().note() }
  }
  let result = try await checks.client().mutate(mutation).requireData().readFile
  return result.content == "text" && result.note == "short"
}

await checks.check("queries and errors over the web socket") {
  let client = client()
  let greeting = try await client.query(API.buildQuery { $0.greeting(firstName: "Ada") })
  let forbidden = try await client.query(API.buildQuery { $0.forbidden() })
  return greeting.data?.greeting == "Hello, Ada!"
    && forbidden.errors.first?.extensions?["code"] == "FORBIDDEN"
}

await checks.check("subscription") {
  var values: [Int] = []
  let subscription = API.buildSubscription { $0.countUp() }
  for try await event in client().subscribe(subscription, over: .webSocket) {
    values.append(try event.requireData().countUp)
  }
  return values == [1, 2, 3]
}

await checks.check("a subscription whose source fails") {
  var values: [Int] = []
  var message: String?
  do {
    let subscription = API.buildSubscription { $0.failsAfter(values: 2) }
    for try await event in client().subscribe(subscription, over: .webSocket) {
      if let data = event.data { values.append(data.failsAfter) }
      message = event.errors.first?.message
    }
  } catch {
    message = "\(error)"
  }
  return values == [0, 1] && message == "The source has failed."
}

await checks.check("the payload of connection_init") {
  for try await event in client(token: "secret").subscribe(
    API.buildSubscription { $0.token() }, over: .webSocket)
  {
    return event.data?.token == "secret"
  }
  return false
}

// The server closes the connection. Over the older protocol, it sends the reason first.
await checks.check("a refused connection_init") {
  do {
    let subscription = API.buildSubscription { $0.token() }
    for try await _ in client(token: "stolen").subscribe(subscription, over: .webSocket) {}
    return false
  } catch {
    let error = error as? Graph.QueryError
    return isOlder
      ? error?.code == .unauthenticated
        && error?.errors.first?.message == "The token is not valid."
      : error?.message.contains("before connection_ack") == true
  }
}

checks.finish()
