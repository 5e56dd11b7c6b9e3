import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Fixtures by field path, as a tree: the fixtures below a field or list element.
final class PathFixtures: Sendable {
  let value: JSON?
  private let fields: [String: PathFixtures]
  private let items: [Int: PathFixtures]

  /// - Parameter depth: how many elements of the paths this node has consumed.
  init(_ entries: [(path: [ResponsePath.Element], value: JSON)], depth: Int = 0) {
    value = entries.last { $0.path.count == depth }?.value
    var fields: [String: [(path: [ResponsePath.Element], value: JSON)]] = [:]
    var items: [Int: [(path: [ResponsePath.Element], value: JSON)]] = [:]
    for entry in entries where entry.path.count > depth {
      switch entry.path[depth] {
      case .name(let name): fields[name, default: []].append(entry)
      case .index(let index): items[index, default: []].append(entry)
      }
    }
    self.fields = fields.mapValues { PathFixtures($0, depth: depth + 1) }
    self.items = items.mapValues { PathFixtures($0, depth: depth + 1) }
  }

  func field(_ name: String) -> PathFixtures? { fields[name] }
  func item(_ index: Int) -> PathFixtures? { items[index] }
}
