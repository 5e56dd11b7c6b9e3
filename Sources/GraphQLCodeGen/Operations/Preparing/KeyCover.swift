/// The fewest fragments that have the keys of some objects.
struct KeyCover {
  /// For each object, the fragments that have its key; its own is the first one.
  private let fragments: [String: [KeyFragment]]

  /// The most fragments that are added to one set. Each makes requests longer.
  static let mostFragments = 4

  init(of objects: [String], _ keys: TypeKeys) {
    fragments = Dictionary(
      objects.map { ($0, keys.fragments(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: nil if more fragments are needed than may be added.
  func smallest(of objects: [String]) -> [KeyFragment]? {
    for count in 0...Self.mostFragments {
      if let found = cover(of: objects, count) { return found }
    }
    return nil
  }

  private func cover(of objects: [String], _ count: Int) -> [KeyFragment]? {
    guard let first = objects.first else { return [] }
    guard count > 0 else { return nil }
    for (fragment, others) in choices(for: first, objects) {
      if let rest = cover(of: others, count - 1) { return [fragment] + rest }
    }
    return nil
  }

  /// The fragments with the key of an object, and the objects whose keys each lacks. One with few comes first, and one
  /// that has no more keys than another is left out.
  private func choices(
    for object: String, _ objects: [String]
  ) -> [(fragment: KeyFragment, others: [String])] {
    let all = (fragments[object] ?? []).map { fragment in
      (fragment: fragment, others: objects.filter { !has(fragment, $0) })
    }
    let order = all.indices.sorted {
      (all[$0].others.count, $0) < (all[$1].others.count, $1)
    }
    var choices: [(fragment: KeyFragment, others: [String])] = []
    for index in order where !choices.contains(where: { $0.others.isSubset(of: all[index].others) })
    {
      choices.append(all[index])
    }
    return choices
  }

  func has(_ fragment: KeyFragment, _ object: String) -> Bool {
    fragments[object]?.contains(fragment) ?? false
  }
}

extension [String] {
  fileprivate func isSubset(of other: [String]) -> Bool { Set(self).isSubset(of: other) }
}
