/// Section 5.5, Fragments.
extension ExecutableValidator {
  /// Fragments have different names (section 5.5.1.1).
  mutating func uniqueFragmentNames() {
    for (position, fragment) in fragments.enumerated() {
      guard let first = fragmentPositions[fragment.name], first != position else { continue }
      let firstRange = fragments[first].nameRange
      diagnostics.add(
        "UniqueFragmentNames", "There is more than one fragment \(quoted(fragment.name)).",
        at: fragment.nameRange, notes: [("It is first defined here.", firstRange)])
    }
  }

  /// A type condition names an existing type (section 5.5.1.2) with fields or possible types: an
  /// object, interface or union (section 5.5.1.3).
  mutating func compositeType(_ condition: TypeName) -> NamedType? {
    let type = schema.type(named: condition.name)
    if let type, type.isCompositeType { return type }
    let schema = schema
    func suggestion() -> String? {
      didYouMean(
        condition.name, among: schema.types.lazy.filter(\.isCompositeType).map(\.name))
    }
    if type == nil {
      diagnostics.add(
        "KnownTypes", "Unknown type \(quoted(condition.name)).", at: condition.range,
        suggestion: suggestion())
    } else {
      diagnostics.add(
        "FragmentsOnCompositeTypes",
        "A fragment cannot be on \(quoted(condition.name)), which is not an object, interface or "
          + "union type.",
        at: condition.range, suggestion: suggestion())
    }
    return nil
  }

  /// Every fragment is used by an operation, possibly through other fragments (section 5.5.1.4).
  mutating func usedFragments() {
    var isUsed = Array(repeating: false, count: fragments.count)
    var pending = operationUses.flatMap(\.spreads)
    while let spread = pending.popLast() {
      if isUsed[spread.fragment] { continue }
      isUsed[spread.fragment] = true
      pending += fragmentUses[spread.fragment].spreads
    }
    for (position, fragment) in fragments.enumerated()
    where !isUsed[position] && fragmentPositions[fragment.name] == position {
      diagnostics.add(
        "UsedFragments", "The fragment \(quoted(fragment.name)) is never used.",
        at: fragment.nameRange)
    }
  }

  /// A spread names a fragment of the document (section 5.5.2.1).
  mutating func knownFragment(_ spread: Document.FragmentSpread) -> Int? {
    if let position = fragmentPositions[spread.name] { return position }
    let fragments = fragments
    diagnostics.add(
      "KnownFragments", "Unknown fragment \(quoted(spread.name)).", at: spread.nameRange,
      suggestion: didYouMean(spread.name, among: fragments.lazy.map(\.name)))
    return nil
  }

  /// A fragment does not spread itself, directly or through others (section 5.5.2.2).
  mutating func fragmentCycles() {
    let graph = DirectedGraph(successors: fragmentUses.map { $0.spreads.map(\.fragment) })
    for component in graph.cyclicComponents() {
      let cycle = graph.cycle(in: component)
      let name = quoted(fragments[cycle[0]].name)
      let next = cycle.count > 1 ? cycle[1] : cycle[0]
      let spread = fragmentUses[cycle[0]].spreads.first { $0.fragment == next }
      let others = cycle.dropFirst().map { quoted(fragments[$0].name) }
      let through = others.isEmpty ? "" : " through \(others.prefix(5).joined(separator: ", "))"
      let more = others.count > 5 ? " and \(others.count - 5) more" : ""
      diagnostics.add(
        "FragmentCycles",
        "The fragment \(name) spreads itself\(through)\(more).",
        at: spread?.range ?? .none)
    }
  }

  /// Some object can have both the fragment's type and the enclosing one (section 5.5.2.3). If one
  /// of two types declares the other, they always fit.
  mutating func possibleFragment(
    on type: NamedType?, within parent: NamedType?, at range: SourceRange
  ) {
    guard let type, let parent, type.isCompositeType, type.name != parent.name else { return }
    let pair = TypePair(first: type.name, second: parent.name)
    let isPossible = overlaps[pair] ?? schema.overlap(type, parent)
    overlaps[pair] = isPossible
    if isPossible { return }
    diagnostics.add(
      "PossibleFragments",
      "A fragment on \(quoted(type.name)) never applies within \(quoted(parent.name)).",
      at: range)
  }

  /// The fragments that no definition spreads.
  func unspreadFragments() -> [Int] {
    let spread = Set((operationUses + fragmentUses).flatMap { $0.spreads.lazy.map(\.fragment) })
    return fragments.indices.filter { !spread.contains($0) }
  }
}

/// The names of two types, as a key for cached results.
struct TypePair: Hashable {
  let first: String
  let second: String
}

extension ServiceSchema {
  /// Whether an object can have both composite types.
  fileprivate func overlap(_ first: NamedType, _ second: NamedType) -> Bool {
    if isSubtype(first.name, of: second.name) || isSubtype(second.name, of: first.name) {
      return true
    }
    let names = Set(possibleTypes(of: first).lazy.map(\.name))
    return possibleTypes(of: second).contains { names.contains($0.name) }
  }
}
