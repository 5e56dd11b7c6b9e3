/// The renames that were applied to a file, and so the names in its data. A file without the table
/// has the names of the oldest program.
struct AppliedRenames: Hashable, Sendable {
  /// The programs that have written data whose names may be different.
  enum Writers: Hashable, Sendable {
    /// All data has the names after the applied renames.
    case same
    /// Programs with this list of renames, or with a shorter one that is its beginning.
    case upTo([String])
    case unknown

    fileprivate init(_ list: [String], or other: [String]) {
      if list.starts(with: other) {
        self = .upTo(list)
      } else {
        self = other.starts(with: list) ? .upTo(other) : .unknown
      }
    }
  }

  /// The renames that were applied to all data; nil if another program has written since.
  let applied: [String]?
  let writers: Writers

  static let none = AppliedRenames(applied: [], writers: .same)

  /// Whether a program has no rename to apply. A program with an older list has nothing to apply
  /// either, but finds no data under its own names.
  func isDone(for declared: DeclaredRenames) -> Bool {
    applied?.starts(with: declared.renames) ?? false
  }

  /// The value after a program with the `declared` renames has written.
  func written(by declared: DeclaredRenames) -> AppliedRenames {
    if applied == declared.renames { return self }
    return AppliedRenames(applied: nil, writers: writers(and: declared.renames))
  }

  /// The value after a program has applied its renames.
  func migrated(by declared: DeclaredRenames, isComplete: Bool) -> AppliedRenames {
    AppliedRenames(
      applied: declared.renames, writers: isComplete ? .same : writers(and: declared.renames))
  }

  private func writers(and list: [String]) -> Writers {
    switch writers {
    case .same: Writers(applied ?? [], or: list)
    case .upTo(let known): Writers(known, or: list)
    case .unknown: .unknown
    }
  }

  /// The possible states of the data, as numbers of entries of a list.
  func states(in declared: DeclaredRenames) -> ClosedRange<Int> {
    let all = declared.renames
    switch writers {
    case .same:
      let applied = applied ?? []
      if all.starts(with: applied) { return applied.count...applied.count }
      // The oldest entries were removed from the list.
      if applied.suffix(all.count) == all[...] { return all.count...all.count }
    case .upTo(let known):
      if all.starts(with: known) { return 0...known.count }
    case .unknown: break
    }
    return 0...all.count
  }
}

// As text: the applied renames, one in a line. Otherwise the first line is `?` with the number of
// applied ones, `-` if there were others since, and `*` if the writers are unknown. The applied
// renames and those of the writers follow.
extension AppliedRenames {
  init(_ text: String) {
    var lines = text.split(separator: "\n").map(String.init)
    guard let first = lines.first, first.hasPrefix("?") else {
      self.init(applied: lines, writers: .same)
      return
    }
    lines.removeFirst()
    let count = Int(first.dropFirst().prefix { $0.isNumber }).map { min($0, lines.count) }
    self.init(
      applied: count.map { Array(lines.prefix($0)) },
      writers: first.hasSuffix("*") || first == "?"
        ? .unknown : .upTo(Array(lines.dropFirst(count ?? 0))))
  }

  var text: String {
    let applied = applied ?? []
    let first = "?" + (self.applied.map { "\($0.count)" } ?? "-")
    return switch writers {
    case .same: applied.joined(separator: "\n")
    case .upTo(let list): ([first] + applied + list).joined(separator: "\n")
    case .unknown: (["\(first)*"] + applied).joined(separator: "\n")
    }
  }
}
