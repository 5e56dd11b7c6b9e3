/// Names that are declared in one scope: no two of them may be equal.
///
/// Names are claimed in rounds, those with a right to their spelling first. A name that is taken
/// gets a trailing underscore, then two, then a number, until it is free. So the result depends
/// only on the order of the claims.
struct NameScope {
  private let reserved: WordSet
  /// Kept separately from the reserved names, which would otherwise be copied for each scope. Most
  /// scopes have a few names, for which searching is faster than hashing.
  private var few: [String] = []
  /// All taken names, once there are more than a few.
  private var many: Set<String>?
  /// The changes of each requested name, so that many equal requests do not take quadratic time.
  private var changes: [String: Int] = [:]

  /// - Parameter reserved: Names that are never available.
  init(reserved: WordSet = []) {
    self.reserved = reserved
  }

  /// Takes a name if it is free.
  private mutating func take(_ name: String) -> Bool {
    if reserved.contains(name) { return false }
    if let isNew = many?.insert(name).inserted { return isNew }
    if few.contains(name) { return false }
    few.append(name)
    if few.count > Self.longestSearched { many = Set(few) }
    return true
  }

  private static let longestSearched = 8

  private mutating func reserve(_ count: Int) {
    let total = (many?.count ?? few.count) + count
    if total <= Self.longestSearched { return few.reserveCapacity(total) }
    if many == nil { many = Set(few) }
    many?.reserveCapacity(total)
  }

  /// Takes a name, or the next free one after it.
  mutating func claim(_ wanted: String) -> String {
    var name = wanted
    while SwiftKeywords.unusable.contains(name) || !take(name) {
      let change = changes[wanted, default: 0] + 1
      changes[wanted] = change
      name = wanted + (change == 1 ? "_" : change == 2 ? "__" : "_\(change)")
    }
    return name
  }

  /// Takes a label if it is free. Labels may be any word.
  mutating func claimLabel(_ label: String) -> Bool {
    take(label)
  }

  /// Takes a name for each request. Requests that need no change come first, so that a field
  /// `init_` keeps its name although a field `init` before it has to change.
  mutating func claimAll(_ wanted: [String]) -> [String] {
    reserve(wanted.count)
    let denied = wanted.indices.filter {
      SwiftKeywords.unusable.contains(wanted[$0]) || !take(wanted[$0])
    }
    var names = wanted
    for position in denied { names[position] = claim(wanted[position]) }
    return names
  }
}
