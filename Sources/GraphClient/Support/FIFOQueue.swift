/// First in, first out, in constant time on average.
struct FIFOQueue<Element> {
  private var incoming: [Element] = []
  /// The oldest last.
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  mutating func append(_ element: Element) { incoming.append(element) }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
