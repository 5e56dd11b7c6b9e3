extension GraphQL.AbstractQuery {
  /// The type whose fields a generated builder selects.
  final var type: GraphQL.TypeInfo? {
    let builder = Swift.type(of: self)
    return builder.schema?.type(of: builder)
  }

  /// The selections, to be merged.
  final var selections: [GraphQL.Selection] {
    let type = type
    let words = extras?.words ?? []
    var details = (extras?.details ?? [])[...]
    let children = children
    var arguments: [Int: [GraphQL.Argument]] = [:]
    for placed in extras?.arguments ?? [] {
      arguments[placed.place, default: []].append(placed.argument)
    }
    return (0..<codes.count).map { place in
      let code = codes.code(at: place, words)
      let described = code == GraphQL.SelectionCodes.described ? details.popFirst() : nil
      return GraphQL.Selection(
        code, described, of: type, child: children[place], arguments: arguments[place] ?? [])
    }
  }

  /// The builders of selection sets, by the place of their selection.
  private final var children: [Int: GraphQL.AbstractQuery] {
    var children = extras?.attached ?? [:]
    var next = newest
    while let child = next {
      // The newest one replaces others of the same selection.
      if children[Int(child.place)] == nil { children[Int(child.place)] = child }
      next = child.older
    }
    return children
  }
}
