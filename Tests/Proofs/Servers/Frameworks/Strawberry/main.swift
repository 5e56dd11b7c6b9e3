import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphWebSocket

let checks = Checks()
let client = checks.client()
let failingField = "This field always fails."

await checks.check("query") {
  let person = try await client.query(
    API.buildQuery {
      $0.personById(id: "1") {
        $0.firstName().createdAt().birthday().kind().salary().badge().settings()
      }
    }
  ).requireData().personById
  return person?.firstName == "Ada" && person?.kind == .fullTime
    && person?.createdAt == Date(timeIntervalSince1970: 1_767_323_045)
    && person?.salary == Decimal(string: "1200.50")
    && person?.badge == "00000000-0000-0000-0000-000000000005"
    && person?.settings["theme"] == ["dark", 1]
}

await checks.check("variables") {
  let query = API.buildQuery { $0.staff(firstN: 1) { $0.onRobot { $0.serialNumber() } } }
  return try await client.query(query).requireData().staff.count == 1
}

await checks.check("union and interface") {
  let staff = try await client.query(
    API.buildQuery {
      $0.staff { $0.onPerson { $0.id().firstName() }.onRobot { $0.id().serialNumber() } }
    }
  ).requireData().staff
  return (staff.first as? API.Person)?.firstName == "Ada"
    && (staff.last as? API.Robot)?.serialNumber == "R2"
}

await checks.check("input object with exactly one field") {
  let byName = API.buildQuery { $0.find(by: .firstName("Ada")) }
  let byID = API.buildQuery { $0.find(by: .id("7")) }
  let found = try await [client.query(byName), client.query(byID)].map { $0.data?.find }
  return found == ["name Ada", "id 7"]
}

await checks.check("an error of a field that may be null leaves the rest") {
  let response = try await client.query(
    API.buildQuery { $0.fails().personById(id: "2") { $0.id() } })
  return response.data != nil && response.data?.fails == nil
    && response.errors.first?.message == failingField
    && response.errors.first?.path.map(String.init(describing:)) == ["fails"]
}

await checks.check("an error of a field that must not be null leaves no data") {
  let response = try await client.query(API.buildQuery { $0.failsRequired() })
  return response.data == nil && response.errors.first?.message == failingField
}

await checks.check("mutation") {
  let mutation = API.buildMutation {
    $0.addPerson(personData: API.NewPerson(firstName: "Grace", kind: .init(.guest))) {
      $0.firstName().kind()
    }
  }
  let person = try await client.mutate(mutation).requireData().addPerson
  return person.firstName == "Grace" && person.kind == .guest
}

await checks.check("upload of several files") {
  let files = ["one", "two"].map {
    GraphQL.Upload(.data(Data($0.utf8)), fileName: "\($0).txt", contentType: "text/plain")
  }
  let mutation = API.buildMutation { $0.readFiles(files: files, title: "Files") }
  return try await client.mutate(mutation).data?.readFiles == "Files: one,two"
}

for form in [Graph.SubscriptionProtocol.serverSentEvents, .multipart] {
  await checks.check("subscription over \(form)") {
    var values: [Int] = []
    let subscription = API.buildSubscription { $0.countUp(lastValue: 4) }
    for try await event in client.subscribe(subscription, over: form) {
      values.append(try event.requireData().countUp)
    }
    return values == [1, 2, 3, 4]
  }
}

for subprotocol in Graph.WebSocketSubprotocol.allCases {
  await checks.check("two subscriptions at once over \(subprotocol)") {
    let client = checks.socketClient(subprotocol)
    async let first = values(upTo: 3, client)
    async let second = values(upTo: 5, client)
    return try await [first, second] == [[1, 2, 3], [1, 2, 3, 4, 5]]
  }
}

// Strawberry allows only subscriptions over the older protocol.
await checks.check("queries, mutations and errors over the web socket") {
  let client = checks.socketClient(.graphQLTransportWS)
  let query = try await client.query(API.buildQuery { $0.find(by: .id("7")) })
  let mutation = try await client.mutate(
    API.buildMutation {
      $0.addPerson(personData: API.NewPerson(firstName: "Grace")) { $0.firstName() }
    })
  let failing = try await client.query(API.buildQuery { $0.fails() })
  return query.data?.find == "id 7" && mutation.data?.addPerson.firstName == "Grace"
    && failing.errors.first?.message == failingField
}

func values(upTo last: Int, _ client: Graph.Client) async throws -> [Int] {
  var values: [Int] = []
  let subscription = API.buildSubscription { $0.countUp(lastValue: last) }
  for try await event in client.subscribe(subscription, over: .webSocket) {
    values.append(try event.requireData().countUp)
  }
  return values
}

checks.finish()
