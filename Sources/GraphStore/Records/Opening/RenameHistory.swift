/// The renames of one kind of names, in the order in which the schema changed.
///
/// State `k` of the schema is the one after the first `k` entries of the whole list. A name may
/// belong to different things in different states.
struct RenameHistory {
  struct Entry {
    /// In the whole list.
    let position: Int
    let old: String
    let new: String
  }

  private(set) var entries: [Entry] = []
  /// Whether the current schema has a name; nil if that is not known.
  private let isCurrent: (String) -> Bool?
  /// Names that are renamed, never used again by a later rename, and still in the schema: a later
  /// version has added another thing with that name, at an unknown time.
  private(set) var reused: Set<String> = []

  init(_ entries: [Entry], isCurrent: @escaping (String) -> Bool?) {
    self.isCurrent = isCurrent
    for entry in entries {
      let returns = entries.contains { $0.position > entry.position && $0.new == entry.old }
      if isCurrent(entry.old) == true, !returns {
        reused.insert(entry.old)
      } else {
        self.entries.append(entry)
      }
    }
  }

  var oldNames: Set<String> { Set(entries.map(\.old)) }

  /// Whether the schema in a state has a name: true if the next change of the name renames it to
  /// another one. After its last change, a name that was a new one still counts, since there may be
  /// values under it even if its field was removed.
  func has(_ name: String, inState state: Int) -> Bool {
    let changes = entries.filter { $0.old == name || $0.new == name }
    if let next = changes.first(where: { $0.position >= state }) { return next.old == name }
    return changes.last.map { $0.new == name } ?? isCurrent(name) ?? false
  }

  /// The current name of the type or member that has the given name in a state.
  func current(_ name: String, fromState state: Int) -> String {
    entries.reduce(name) { $1.position >= state && $1.old == $0 ? $1.new : $0 }
  }

  /// The possible current names of data that programs with any of some states have stored under a name.
  /// If none of these states has the name, the data is from an earlier state. If no earlier state has
  /// it either, the list was declared after the name was used, and any state is possible.
  func possible(_ name: String, in states: ClosedRange<Int>, of count: Int) -> Set<String> {
    func names(_ states: some Sequence<Int>) -> [String] {
      states.filter { has(name, inState: $0) }.map { current(name, fromState: $0) }
    }
    let possible = names(states)
    if !possible.isEmpty { return Set(possible) }
    return names(0..<states.lowerBound).last.map { [$0] } ?? Set(names(0...count))
  }
}
