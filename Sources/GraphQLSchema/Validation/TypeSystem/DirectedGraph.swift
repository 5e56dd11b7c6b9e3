/// Nodes by number, for finding circular references. Nothing here is recursive, as the input
/// determines the length of chains.
struct DirectedGraph {
  let successors: [[Int]]

  /// Groups of nodes that can all reach each other, and single nodes that follow themselves
  /// (Tarjan's strongly connected components), each sorted, in the order of their first nodes.
  func cyclicComponents() -> [[Int]] {
    let unvisited = -1
    var order = Array(repeating: unvisited, count: successors.count)
    var lowest = order
    var isOpen = Array(repeating: false, count: successors.count)
    var open: [Int] = []
    var path: [(node: Int, next: Int)] = []
    var visitedCount = 0
    var components: [[Int]] = []

    for root in successors.indices where order[root] == unvisited {
      path.append((root, 0))
      while let (node, next) = path.last {
        if next == 0 {
          order[node] = visitedCount
          lowest[node] = visitedCount
          visitedCount += 1
          open.append(node)
          isOpen[node] = true
        }
        if next < successors[node].count {
          path[path.count - 1].next += 1
          let successor = successors[node][next]
          if order[successor] == unvisited {
            path.append((successor, 0))
          } else if isOpen[successor] {
            lowest[node] = min(lowest[node], order[successor])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
        guard lowest[node] == order[node] else { continue }
        var component: [Int] = []
        repeat {
          let member = open.removeLast()
          isOpen[member] = false
          component.append(member)
        } while component.last != node
        if component.count > 1 || successors[node].contains(node) {
          components.append(component.sorted())
        }
      }
    }
    return components.sorted { $0[0] < $1[0] }
  }

  /// A shortest way from a component's first node back to it, without the return.
  func cycle(in component: [Int]) -> [Int] {
    let start = component[0]
    let members = Set(component)
    var cameFrom: [Int: Int] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
      let node = queue[position]
      position += 1
      for successor in successors[node] where members.contains(successor) {
        if successor == start {
          var way = [node]
          while let last = way.last, last != start, let previous = cameFrom[last] {
            way.append(previous)
          }
          return way.reversed()
        }
        if cameFrom[successor] == nil {
          cameFrom[successor] = node
          queue.append(successor)
        }
      }
    }
    return component
  }
}
