import GraphQLSchema

/// The content of one generated struct: selection sets of one object, merged. The position of an entry is
/// its slot. The runtime computes the same views from the text, so the rules of `ViewBuilder` are a
/// contract: a checksum in the generated code confirms that both agree.
final class View {
  /// Types that the object certainly has; the last is the narrowest.
  let known: [NamedType]
  let entries: [Entry]

  init(known: [NamedType], entries: [Entry]) {
    self.known = known
    self.entries = entries
  }

  /// The narrowest type.
  var type: NamedType { known[known.count - 1] }

  /// A class, as `Field`: entries are passed through all of the planning, and a copy of a definition of
  /// the schema counts a dozen references.
  final class Entry {
    let kind: Kind
    /// Whether it is part of every response that has the object.
    let isUnconditional: Bool
    /// The object that it leads to; nil for leaves and for named fragments, which have their own view.
    let child: View?
    /// Set if all of it may come later: the fields of a fragment, or the items of a list.
    let delivery: Delivery?
    /// Whether a struct has a property for it. Fields and fragments that were added to the document have a slot only, and
    /// so has what is impossible: no object type has all types of the view and that of the fragment.
    let isReadable: Bool

    init(kind: Kind, isUnconditional: Bool, child: View?, delivery: Delivery?, isReadable: Bool) {
      self.kind = kind
      self.isUnconditional = isUnconditional
      self.child = child
      self.delivery = delivery
      self.isReadable = isReadable
    }
  }

  enum Kind {
    case field(Field)
    /// An inline fragment with a type condition that is not certain.
    case condition(String)
    /// An inline fragment with `@defer`.
    case deferred(Delivery)
    /// A named fragment. Its fields are not part of this view.
    case fragment(String, isCertain: Bool)
    /// A field that none of the types has. Only views of impossible entries have such fields.
    case unknownField(key: String)
  }

  final class Field {
    let key: String
    let name: String
    let type: TypeReference
    /// The type that defines the field.
    let owner: NamedType
    /// Whether reading it throws its error.
    let isCaught: Bool

    init(
      key: String, name: String, type: TypeReference, owner: NamedType, isCaught: Bool
    ) {
      self.key = key
      self.name = name
      self.type = type
      self.owner = owner
      self.isCaught = isCaught
    }
  }
}

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

/// Views as text, from which the checksum is computed that generator and runtime compare.
enum ViewChecksum {
  /// The entries of a view, in the order of their slots.
  static func dump(_ view: View) -> [UInt8] {
    var text: [UInt8] = []
    append(view, to: &text)
    return text
  }

  private static func append(_ view: View, to text: inout [UInt8]) {
    for entry in view.entries {
      switch entry.kind {
      case .field(let field):
        guard appendField(field.key, entry, to: &text) else { continue }
      case .unknownField(let key):
        guard appendField(key, entry, to: &text) else { continue }
      case .condition(let type):
        text.append("on ")
        text.append(utf8Of: type)
      case .deferred: text.append("@")
      case .fragment(let name, isCertain: _):
        text.append("...")
        text.append(utf8Of: name)
        text.append(";")
        continue
      }
      text.append("{")
      if let child = entry.child { append(child, to: &text) }
      text.append("}")
    }
  }

  /// Returns whether a view below follows.
  private static func appendField(
    _ key: String, _ entry: View.Entry, to text: inout [UInt8]
  ) -> Bool {
    text.append(utf8Of: key)
    if entry.child == nil { text.append(",") }
    return entry.child != nil
  }

  /// The dump of a fragment as a part of a document.
  static func dump(fragment name: String, _ view: View) -> [UInt8] {
    var text: [UInt8] = []
    text.append("...")
    text.append(utf8Of: name)
    text.append("{")
    append(view, to: &text)
    text.append("}")
    return text
  }

  /// The FNV-1a hash of 32 bits.
  static func hash(_ parts: [[UInt8]]) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for part in parts {
      for byte in part { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    }
    return hash
  }
}
