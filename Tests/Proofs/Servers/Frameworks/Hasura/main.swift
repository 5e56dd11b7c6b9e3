import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphWebSocket

let checks = Checks()
let client = checks.client(headers: ["x-hasura-admin-secret": "secret"]) {
  $0.webSocket.carriesQueriesAndMutations = false
}

func names(where filter: API.UsersBoolExp, order: API.UsersOrderBy? = nil) async throws -> [String]
{
  let query = API.buildQuery {
    $0.users(orderBy: order.map { [$0] }, where: filter) { $0.firstName() }
  }
  return try await client.query(query).requireData().users.map(\.firstName)
}

await checks.check("a row with scalars of PostgreSQL, and its relationships") {
  let query = API.buildQuery {
    $0.usersByPk(id: 1) {
      $0.firstName().createdAt().balance().externalId().visits().tags()
      $0.settings().settings(alias: "theme", path: "theme")
      $0.posts(limit: 5) { $0.title().user { $0.id() } }
    }
  }
  let ada = try await client.query(query).requireData().usersByPk
  let time = Date(timeIntervalSince1970: 1_767_323_045.678901)
  return ada?.firstName == "Ada" && abs(ada?.createdAt.timeIntervalSince(time) ?? 1) < 0.000_01
    && ada?.balance == Decimal(string: "10.5") && ada?.visits.description == "9007199254740993"
    && ada?.tags == ["a", "b"] && ada?.settings == ["theme": "dark"]
    && ada?.aliasedSettings(alias: "theme") == "dark"
    && ada?.posts.map(\.title) == ["Notes", "Engine"] && ada?.posts.first?.user.id == 1
}

await checks.check("filters and orders") {
  let compared = API.UsersBoolExp(balance: .init(.init(_gt: .init(5))))
  let like = API.UsersBoolExp(firstName: .init(.init(_ilike: "%A%")))
  let either = API.UsersBoolExp(_or: [
    .init(firstName: .init(.init(_eq: "Ada"))),
    .init(posts: .init(.init(title: .init(.init(_in: ["Compiler"]))))),
  ])
  let not = API.UsersBoolExp(_not: .init(.init(settings: .init(.init(_isNull: true)))))
  let since = API.UsersBoolExp(
    createdAt: .init(.init(_gte: .init(Date(timeIntervalSince1970: 1_767_398_400)))))
  let found = try await [
    names(where: compared), names(where: like, order: .init(firstName: .init(.descNullsLast))),
    names(where: either, order: .init(firstName: .init(.asc))), names(where: not),
    names(where: since),
  ]
  return found == [["Ada"], ["Grace", "Ada"], ["Ada", "Grace"], ["Ada"], ["Grace"]]
}

await checks.check("aggregate") {
  let query = API.buildQuery {
    $0.usersAggregate { $0.aggregate { $0.count().sum { $0.balance() } }.nodes { $0.id() } }
  }
  let all = try await client.query(query).requireData().usersAggregate
  return all.aggregate?.count == 2 && all.aggregate?.sum?.balance == Decimal(string: "10.5")
    && all.nodes.count == 2
}

await checks.check("insert, upsert, update and delete") {
  let new = API.UsersInsertInput(firstName: "Alan", settings: ["theme": ["light"]])
  let inserted = try await client.mutate(
    API.buildMutation { $0.insertUsersOne(object: new) { $0.id().settings() } }
  ).requireData().insertUsersOne
  guard let id = inserted?.id, inserted?.settings == ["theme": ["light"]] else { return false }
  let again = API.UsersInsertInput(firstName: "Alan", balance: 7)
  let conflict = API.UsersOnConflict(constraint: .usersFirstNameKey, updateColumns: [.balance])
  let upserted = try await client.mutate(
    API.buildMutation {
      $0.insertUsers(objects: [again], onConflict: conflict) {
        $0.affectedRows().returning { $0.id().balance() }
      }
    }
  ).requireData().insertUsers
  guard upserted?.returning.map(\.id) == [id], upserted?.returning.first?.balance == 7 else {
    return false
  }
  let updated = try await client.mutate(
    API.buildMutation {
      $0.updateUsersByPk(
        _inc: .init(visits: .init(3)), _set: .init(firstName: "Turing"), pkColumns: .init(id: id)
      ) { $0.firstName().visits() }
    }
  ).requireData().updateUsersByPk
  guard updated?.firstName == "Turing", updated?.visits.description == "3" else { return false }
  let filter = API.UsersBoolExp(id: .init(.init(_eq: .init(id))))
  let deleted = try await client.mutate(
    API.buildMutation { $0.deleteUsers(where: filter) { $0.affectedRows() } }
  ).requireData().deleteUsers
  return deleted?.affectedRows == 1
}

await checks.check("codes of errors that have the status 200") {
  let duplicate = API.UsersInsertInput(firstName: "Ada")
  let unique = try await client.mutate(
    API.buildMutation { $0.insertUsersOne(object: duplicate) { $0.id() } })
  let empty = try await client.mutate(
    API.buildMutation { $0.updateUsersByPk(pkColumns: .init(id: 1)) { $0.id() } })
  let denied = try await checks.client().query(API.buildQuery { $0.users { $0.id() } })
  let codes = [unique.errors, empty.errors, denied.errors].map { $0.first?.extensions?["code"] }
  return codes == ["constraint-violation", "unexpected", "access-denied"] && denied.data == nil
}

await checks.check("live subscription") {
  let filter = API.UsersBoolExp(firstName: .init(.init(_eq: "Live")))
  let subscription = API.buildSubscription { $0.users(where: filter) { $0.id().balance() } }
  var balances: [[Decimal]] = []
  for try await event in client.subscribe(subscription, over: .webSocket) {
    let rows = try event.requireData().users
    balances.append(rows.map(\.balance))
    switch balances.count {
    case 1:
      let new = API.UsersInsertInput(firstName: "Live", balance: 1)
      _ = try await client.mutate(
        API.buildMutation { $0.insertUsersOne(object: new) { $0.id() } }
      ).requireData()
    case 2:
      _ = try await client.mutate(
        API.buildMutation {
          $0.updateUsersByPk(_inc: .init(balance: 1), pkColumns: .init(id: rows[0].id)) {
            $0.id()
          }
        }
      ).requireData()
    default:
      _ = try await client.mutate(
        API.buildMutation { $0.deleteUsers(where: filter) { $0.affectedRows() } }
      ).requireData()
      return balances == [[], [1], [2]]
    }
  }
  return false
}

checks.finish()
