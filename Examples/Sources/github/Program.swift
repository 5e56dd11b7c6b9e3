import Foundation
import GitHubAPI
import GraphClient

/// Lists the open issues of a repository, the most discussed first.
///
/// Usage: github [OWNER NAME]
@main
struct Program {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.isEmpty || arguments.count == 2 else {
      return print("usage: github [OWNER NAME]")
    }
    let (owner, name) = (arguments.first ?? "swiftlang", arguments.last ?? "swift")
    do {
      try await list(owner: owner, name: name, with: Service.client())
    } catch {
      print("github: \(error)")
      exit(1)
    }
  }

  /// The contents of a line of the list.
  private static let line = GitHub.IssueQuery.fragment("Line") {
    $0
      .number().title().createdAt()
      .author { $0.login() }
      .labels(first: 3) { $0.nodes { $0.name() } }
      .comments { $0.totalCount() }
  }

  private static func list(owner: String, name: String, with client: Graph.Client) async throws {
    var cursor: String?
    var pages = 0
    repeat {
      let query = GitHub.buildQuery(named: "OpenIssues") {
        $0.repository(owner: owner, name: name) {
          $0
            .nameWithOwner().stargazerCount()
            .issues(
              first: 10, after: cursor, states: [.open],
              orderBy: GitHub.IssueOrder(field: .comments, direction: .desc)
            ) {
              $0.totalCount().pageInfo { $0.hasNextPage().endCursor() }.nodes { $0.spread(line) }
            }
        }
      }
      let response = try await client.query(query)
      for reason in response.errors { print("! \(reason)") }
      guard let repository = try response.requireData().repository else {
        return print("There is no repository \(owner)/\(name).")
      }
      if cursor == nil {
        print("\(repository.nameWithOwner): \(repository.stargazerCount) stars,", terminator: " ")
        print("\(repository.issues.totalCount) open issues")
      }
      repository.issues.nodes?.compactMap(\.self).forEach(show)
      cursor = repository.issues.pageInfo.hasNextPage ? repository.issues.pageInfo.endCursor : nil
      pages += 1
    } while cursor != nil && pages < 2
  }

  private static func show(_ issue: GitHub.Issue) {
    let labels = issue.labels?.nodes?.compactMap { $0?.name }.joined(separator: ", ") ?? ""
    let author = issue.author?.login ?? "ghost"
    print(
      "  #\(issue.number) \(issue.title), by \(author), \(issue.comments.totalCount) comments",
      labels)
  }
}
