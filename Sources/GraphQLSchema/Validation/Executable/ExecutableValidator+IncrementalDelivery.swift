/// The rules about `@defer` and `@stream`, of the draft of the specification about incremental delivery.
///
/// They only apply if the schema defines the directives: the specification of September 2025 has neither.
extension ExecutableValidator {
  /// A label is a literal, since it identifies a part of the response, and no two are equal.
  mutating func incrementalLabel(_ directive: Document.Directive) {
    guard let label = directive.argument("label") else { return }
    switch label.kind {
    case .null: return
    case .string(let text):
      guard let first = labels[text] else {
        labels[text] = label.range
        return
      }
      if isSentTogether { equalLabels(text, label.range, first) } else { hasEqualLabels = true }
    default:
      diagnostics.add(
        "IncrementalLabels",
        "The label of \(quoted("@" + directive.name)) must be a string without variables.",
        at: label.range)
    }
  }

  /// A field with `@stream` has a list type.
  mutating func streamedList(_ field: Document.Field, _ definition: FieldSignature) {
    guard incremental.hasStream,
      let stream = field.directives.first(where: { $0.name == "stream" }),
      definition.type.itemType == nil
    else { return }
    diagnostics.add(
      "StreamedLists",
      "\(quoted(field.name)) of type \(quoted(definition.type.description)) is not a list, so "
        + "\"@stream\" cannot be applied.", at: stream.range)
  }

  /// The root fields of mutations and subscriptions are neither deferred nor streamed.
  mutating func rootFieldsInOnePart() {
    var visited: Set<Int> = []
    for operation in operations where operation.operationType != .query {
      for directive in incrementalDirectives(
        .all, in: operation.selectionSet, nested: false, visited: &visited)
      {
        diagnostics.add(
          "IncrementalRootFields",
          "\(quoted("@" + directive.name)) cannot be applied at the root of a "
            + "\(operation.operationType.rawValue).", at: directive.range)
      }
    }
  }

  /// In a subscription, `@defer` and `@stream` can be switched off: their argument `if` is false or
  /// a variable, or `@skip` or `@include` can leave out their selection.
  mutating func subscriptionsInOnePart() {
    var visited: Set<Int> = []
    for operation in operations where operation.operationType == .subscription {
      for directive in incrementalDirectives(
        .unconditional, in: operation.selectionSet, nested: true, visited: &visited)
      where !directive.canBeOff {
        diagnostics.add(
          "IncrementalSubscriptions",
          "\(quoted("@" + directive.name)) cannot be applied in a subscription.",
          at: directive.range, suggestion: "Did you mean \"if: false\"?")
      }
    }
  }

  /// No two labels in an operation and its fragments are equal. Operations that are sent alone may share a label.
  mutating func labelsOfOperations() {
    guard hasEqualLabels else { return }
    var reported: Set<SourceRange> = []
    for operation in operations {
      var visited: Set<Int> = []
      var firsts: [String: SourceRange] = [:]
      let labels = incrementalDirectives(
        .all, in: operation.selectionSet, nested: true, visited: &visited
      ).compactMap { $0.argument("label") }
      for label in labels.sorted(by: {
        ($0.range.source, $0.range.start) < ($1.range.source, $1.range.start)
      }) {
        guard case .string(let text) = label.kind else { continue }
        guard let first = firsts[text] else {
          firsts[text] = label.range
          continue
        }
        if reported.insert(label.range).inserted { equalLabels(text, label.range, first) }
      }
    }
  }

  private mutating func equalLabels(_ text: String, _ range: SourceRange, _ first: SourceRange) {
    diagnostics.add(
      "IncrementalLabels",
      "More than one \"@defer\" or \"@stream\" has the label \(quoted(text)).", at: range,
      notes: [("It is first given here.", first)])
  }

  private enum SearchedSelections {
    case all
    /// Those that neither `@skip` nor `@include` can leave out.
    case unconditional
  }

  /// The applied `@defer` and `@stream` of a selection set and of the fragments that it spreads.
  ///
  /// - Parameters:
  ///   - selections: Which selections are searched.
  ///   - nested: Whether to include those of the fields' own selection sets.
  ///   - visited: The fragments that were already visited, which are left out.
  private func incrementalDirectives(
    _ selections: SearchedSelections, in selectionSet: Document.SelectionSet, nested: Bool,
    visited: inout Set<Int>
  ) -> [Document.Directive] {
    var found: [Document.Directive] = []
    var pending = [selectionSet]
    while let next = pending.popLast() {
      for selection in next.selections where selections == .all || !selection.canBeLeftOut {
        found += selection.directives.filter(incremental.contains)
        switch selection {
        case .field(let field):
          if nested, let selectionSet = field.selectionSet { pending.append(selectionSet) }
        case .inlineFragment(let fragment): pending.append(fragment.selectionSet)
        case .fragmentSpread(let spread):
          guard let position = fragmentPositions[spread.name], visited.insert(position).inserted
          else { continue }
          pending.append(fragments[position].selectionSet)
        }
      }
    }
    return found
  }
}

/// Which directives of incremental delivery a schema defines.
struct IncrementalDirectives {
  let hasDefer: Bool
  let hasStream: Bool

  init(_ schema: ServiceSchema) {
    // A directive with another meaning may have the name, but hardly these arguments.
    func defines(_ name: String) -> Bool {
      guard let arguments = schema.directives[name]?.arguments else { return false }
      return arguments["if"]?.type.namedType == "Boolean"
        && arguments["label"]?.type.namedType == "String"
    }
    hasDefer = defines("defer")
    hasStream = defines("stream")
  }

  func contains(_ directive: Document.Directive) -> Bool {
    switch directive.name {
    case "defer": hasDefer
    case "stream": hasStream
    default: false
    }
  }
}

extension Document.Directive {
  /// Whether the argument `if` is false or a variable.
  fileprivate var canBeOff: Bool {
    switch argument("if")?.kind {
    case .boolean(false), .variable: true
    default: false
    }
  }
}

extension Document.Selection {
  /// Whether `@skip` or `@include` leaves it out, always or for some values of variables.
  fileprivate var canBeLeftOut: Bool {
    directives.contains { directive in
      switch (directive.name, directive.argument("if")?.kind) {
      case ("skip", .boolean(true)), ("skip", .variable): true
      case ("include", .boolean(false)), ("include", .variable): true
      default: false
      }
    }
  }
}
