import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

let checks = Checks()
let client = checks.client()

await checks.check("scalars of the framework") {
  let query = API.buildQuery {
    $0.recipes(first: 1) {
      $0.nodes {
        $0.id().title().level().cookedAt().firstCookedOn().extraData().calories()
      }
    }
  }
  let soup = try await client.query(query).requireData().recipes.nodes?.first ?? nil
  return soup?.title == "Soup 1" && soup?.level == .veryHard && soup?.id == "Recipe-1"
    && soup?.cookedAt == Date(timeIntervalSince1970: 1_767_323_045)
    && soup?.firstCookedOn?.description == "2020-02-29" && soup?.extraData == ["steps": ["cut", 1]]
    && soup?.calories?.description == "1099511627776"
}

await checks.check("pages of a connection, and a node") {
  var cursor: String?
  var titles: [String?] = []
  repeat {
    let page = try await client.query(
      API.buildQuery {
        $0.recipes(after: cursor, first: 2) {
          $0.pageInfo { $0.hasNextPage().endCursor() }.edges { $0.cursor().node { $0.title() } }
        }
      }
    ).requireData().recipes
    titles += page.edges?.map { $0?.node?.title } ?? []
    cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : nil
  } while cursor != nil
  let node = try await client.query(
    API.buildQuery { $0.node(id: "Recipe-3") { $0.onRecipe { $0.title() } } }
  ).requireData().node
  return titles == (1...5).map { "Soup \($0)" } && (node as? API.Recipe)?.title == "Soup 3"
}

await checks.check("union, and the default value of an argument") {
  let found = try await client.query(
    API.buildQuery {
      $0.search(word: "Julia") { $0.onRecipe { $0.title() }.onChef { $0.name() } }
    }
  ).requireData().search
  return (found.last as? API.Chef)?.name == "Julia hard"
}

await checks.check("extensions and path of an error") {
  let response = try await client.query(
    API.buildQuery { $0.recipes(first: 2) { $0.nodes { $0.title().secret() } } })
  let second = response.errors.last
  return response.data?.recipes.nodes?.count == 2 && response.errors.count == 2
    && second?.extensions?["code"] == "FORBIDDEN"
    && second?.path.map(String.init(describing:)) == ["recipes", "nodes", "1", "secret"]
}

await checks.check("mutation, and the errors of its validation") {
  func rename(_ title: String) async throws -> Graph.Response<API.Mutation> {
    let input = API.RenameRecipeInput(
      clientMutationId: "m1", title: title, newLevel: .init(.easy))
    return try await client.mutate(
      API.buildMutation {
        $0.renameRecipe(input: input) { $0.clientMutationId().recipe { $0.title().level() } }
      })
  }
  let renamed = try await rename("Stew").requireData().renameRecipe
  let refused = try await rename("S")
  return renamed?.recipe?.title == "Stew" && renamed?.recipe?.level == .easy
    && renamed?.clientMutationId == "m1"
    && refused.errors.first?.message.contains("too short") == true
}

await checks.check("a crash of the server is a status with its errors") {
  do {
    _ = try await client.query(API.buildQuery { $0.crash() })
    return false
  } catch {
    let error = error as? Graph.QueryError
    return error?.code == .status && error?.response?.status == 500
      && error?.errors.first?.message == "the kitchen burns"
  }
}

checks.finish()
