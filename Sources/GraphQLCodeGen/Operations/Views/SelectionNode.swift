import GraphQLSchema

/// A selection set of a completed document. A class: a view contains a set once, however many ways lead
/// to it, so sets have an identity.
final class SelectionNode {
  let selections: [Selection]

  enum Selection {
    case field(FieldNode)
    case fragment(InlineFragmentNode)
    case spread(SpreadNode)
  }

  init(_ set: Document.SelectionSet) {
    selections = set.selections.map { selection in
      switch selection {
      case .field(let field): .field(FieldNode(field))
      case .inlineFragment(let fragment): .fragment(InlineFragmentNode(fragment))
      case .fragmentSpread(let spread): .spread(SpreadNode(spread))
      }
    }
  }
}

final class FieldNode {
  let key: String
  let name: String
  let conditions: Conditions
  let selections: SelectionNode?
  let stream: Delivery?
  /// Whether reading it throws its error.
  let isCaught: Bool
  /// Whether it was in the document, and not added to it.
  let isWritten: Bool

  fileprivate init(_ field: Document.Field) {
    key = field.responseName
    name = field.name
    conditions = Conditions(field.directives)
    selections = field.selectionSet.map(SelectionNode.init)
    stream = Delivery(field.directives, "stream")
    isCaught = CaughtErrors.isCaught(field)
    isWritten = field.range.isKnown
  }
}

final class InlineFragmentNode {
  /// The name of the type condition.
  let type: String?
  let conditions: Conditions
  let deferral: Delivery?
  let selections: SelectionNode

  fileprivate init(_ fragment: Document.InlineFragment) {
    type = fragment.typeCondition?.name
    conditions = Conditions(fragment.directives)
    deferral = Delivery(fragment.directives, "defer")
    selections = SelectionNode(fragment.selectionSet)
  }
}

final class SpreadNode {
  let name: String
  let conditions: Conditions
  let deferral: Delivery?
  /// Whether it was in the document, and not added to it.
  let isWritten: Bool

  fileprivate init(_ spread: Document.FragmentSpread) {
    name = spread.name
    isWritten = spread.range.isKnown
    conditions = Conditions(spread.directives)
    deferral = Delivery(spread.directives, "defer")
  }
}

/// `@defer` on a fragment, or `@stream` on a list: its fields or items may come later.
struct Delivery {
  let label: String?

  fileprivate init?(_ directives: [Document.Directive], _ name: String) {
    guard let directive = directives[name] else { return nil }
    if case .string(let label)? = directive.argument("label")?.kind {
      self.label = label
    } else {
      label = nil
    }
  }
}

/// The directives `@include` and `@skip` that decide whether a selection is part of a response, from
/// the set of a view down to the selection.
struct Conditions: Equatable {
  private var texts: [String] = []

  static let none = Conditions()

  private init() {}

  init(_ directives: [Document.Directive]) {
    for directive in directives where directive.name == "include" || directive.name == "skip" {
      texts.append("\(directive.name):\(directive.argument("if")?.description ?? "")")
    }
  }

  /// Whether the selection is part of every response.
  var isEmpty: Bool { texts.isEmpty }

  /// How many there are.
  var count: Int { texts.count }

  static func + (outer: Conditions, inner: Conditions) -> Conditions {
    if inner.isEmpty { return outer }
    var result = outer
    result.texts += inner.texts
    return result
  }
}
