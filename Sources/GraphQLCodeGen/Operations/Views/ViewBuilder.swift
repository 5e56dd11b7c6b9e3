#if !ONE_MODULE
  import GraphQLSchema
#endif

/// Merges selection sets into views.
struct ViewBuilder {
  let schema: ServiceSchema
  /// The type conditions of the fragments, by their names.
  let fragmentTypes: [String: String]
  /// How many views may still be built: type conditions within the same fields again and again double
  /// them at each level.
  private var remaining: Int

  static let mostViews = 20_000

  init(schema: ServiceSchema, fragmentTypes: [String: String]) {
    self.schema = schema
    self.fragmentTypes = fragmentTypes
    remaining = Self.mostViews
  }

  /// A definition has too many views.
  struct TooMany: Error {}

  /// The view of an operation or fragment.
  mutating func view(of set: SelectionNode, on type: NamedType) throws(TooMany) -> View {
    try view(known: [type], [Source(set: set, isOwn: true, conditions: .none)])
  }

  /// A selection set of a view.
  fileprivate struct Source {
    let set: SelectionNode
    /// Whether its type conditions and deferred fragments are the view's; otherwise, they are those of
    /// the view around it.
    let isOwn: Bool
    let conditions: Conditions
  }

  /// An entry of which parts are found one by one.
  fileprivate struct Draft {
    var kind: DraftKind
    var isUnconditional = false
    var sets: [(set: SelectionNode, conditions: Conditions)] = []
    var delivery: Delivery?
    /// Whether one of its places is neither deferred nor conditional.
    var isImmediate = false
    var isCaught = false

    /// Adds a place that contributes to the entry.
    mutating func add(_ set: SelectionNode?, _ conditions: Conditions) {
      if conditions.isEmpty { isUnconditional = true }
      guard let set else { return }
      guard let known = sets.firstIndex(where: { $0.set === set }) else {
        sets.append((set, conditions))
        return
      }
      // A set of a case is also found from the view around it, by a longer path.
      if conditions.count < sets[known].conditions.count { sets[known].conditions = conditions }
    }

    /// The sets as sources of the entry's view. If all have the same conditions, they are met wherever
    /// the view exists.
    var sources: [Source] {
      if sets.count == 1 { return [Source(set: sets[0].set, isOwn: true, conditions: .none)] }
      let isSame = sets.allSatisfy { $0.conditions == sets[0].conditions }
      return sets.map {
        Source(set: $0.set, isOwn: true, conditions: isSame ? .none : $0.conditions)
      }
    }
  }

  fileprivate enum DraftKind {
    case field(FieldNode, isWritten: Bool)
    case condition(String)
    case deferred(InlineFragmentNode, Delivery)
    case fragment(String, isWritten: Bool)
  }

  fileprivate struct Drafts {
    var entries: [Draft] = []
    var fields = Positions()
    var conditions = Positions()
    var fragments = Positions()
  }

  /// The positions of entries by name. Most views have a few, for which searching is faster than hashing.
  fileprivate struct Positions {
    private var few: [(name: String, position: Int)] = []
    private var many: [String: Int] = [:]

    private static let longestSearched = 8

    /// The position of a name, which is the given one if the name is new.
    mutating func position(of name: String, adding new: Int) -> Int {
      if let known = few.first(where: { $0.name == name })?.position ?? many[name] { return known }
      if few.count < Self.longestSearched {
        few.append((name, new))
      } else {
        many[name] = new
      }
      return new
    }
  }

  private mutating func view(known: [NamedType], _ sources: [Source]) throws(TooMany) -> View {
    guard remaining > 0 else { throw TooMany() }
    remaining -= 1
    var drafts = Drafts()
    for source in sources {
      walk(source.set, known, isOwn: source.isOwn, source.conditions, &drafts)
    }
    var entries: [View.Entry] = []
    entries.reserveCapacity(drafts.entries.count)
    for draft in drafts.entries {
      if let entry = try entry(draft, known, sources) { entries.append(entry) }
    }
    return View(known: known, entries: entries)
  }

  private func walk(
    _ set: SelectionNode, _ known: [NamedType], isOwn: Bool, _ outer: Conditions,
    _ drafts: inout Drafts
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        let position = drafts.position(of: field)
        if field.isWritten { drafts.entries[position].markWritten() }
        if field.isCaught { drafts.entries[position].isCaught = true }
        if let stream = field.stream { drafts.entries[position].delivery = stream }
        drafts.entries[position].add(field.selections, outer + field.conditions)
      case .fragment(let fragment):
        let conditions = outer + fragment.conditions
        if let deferral = fragment.deferral {
          if isOwn { drafts.add(fragment, deferral, conditions) }
        } else if let type = fragment.type, !isCertain(type, known) {
          guard isOwn else { continue }
          let position = drafts.position(ofCondition: type)
          drafts.entries[position].add(fragment.selections, conditions)
        } else {
          walk(fragment.selections, known, isOwn: isOwn, conditions, &drafts)
        }
      case .spread(let spread):
        let position = drafts.position(of: spread)
        let conditions = outer + spread.conditions
        if let deferral = spread.deferral {
          drafts.entries[position].delivery = deferral
        } else {
          if conditions.isEmpty { drafts.entries[position].isImmediate = true }
          drafts.entries[position].add(nil, conditions)
        }
      }
    }
  }

  /// Whether every object with the known types has this one.
  private func isCertain(_ type: String, _ known: [NamedType]) -> Bool {
    // Without types, nothing is read. The runtime merges the selections there.
    known.isEmpty || known.contains { schema.isSubtype($0.name, of: type) }
  }

  /// Whether an object type has all of the known types and this one.
  private func isPossible(_ type: NamedType, _ known: [NamedType]) -> Bool {
    isCertain(type.name, known)
      || schema.possibleTypes(of: type).contains { object in
        known.allSatisfy { schema.isSubtype(object.name, of: $0.name) }
      }
  }

  private mutating func entry(
    _ draft: Draft, _ known: [NamedType], _ sources: [Source]
  ) throws(TooMany) -> View.Entry? {
    let kind: View.Kind
    var child: View?
    var isReadable = true
    switch draft.kind {
    case .field(let node, let isWritten):
      if let (owner, type) = definition(of: node.name, known) {
        kind = .field(
          View.Field(
            key: node.key, name: node.name, type: type, owner: owner,
            isCaught: draft.isCaught))
        isReadable = isWritten
      } else {
        kind = .unknownField(key: node.key)
      }
      if !draft.sets.isEmpty {
        child = try view(known: types(of: node.name, known), draft.sources)
      }
    case .condition(let type):
      guard let condition = schema.type(named: type) else { return nil }
      kind = .condition(type)
      isReadable = isPossible(condition, known)
      let around = sources.map {
        Source(set: $0.set, isOwn: false, conditions: $0.conditions)
      }
      child = try view(known: known + [condition], around + draft.sources)
    case .deferred(let fragment, let deferral):
      let condition = fragment.type.flatMap { schema.type(named: $0) }
      kind = .deferred(deferral)
      isReadable = condition.map { isPossible($0, known) } ?? true
      child = try view(known: known + (condition.map { [$0] } ?? []), draft.sources)
    case .fragment(let name, let isWritten):
      let condition = fragmentTypes[name].flatMap { schema.type(named: $0) }
      kind = .fragment(name, isCertain: condition.map { isCertain($0.name, known) } ?? false)
      isReadable = isWritten && (condition.map { isPossible($0, known) } ?? false)
    }
    return View.Entry(
      kind: kind, isUnconditional: draft.isUnconditional, child: child,
      delivery: draft.isImmediate ? nil : draft.delivery, isReadable: isReadable)
  }

  /// The narrowest type that has a field, with the field's type in it.
  private func definition(
    of name: String, _ known: [NamedType]
  ) -> (owner: NamedType, type: TypeReference)? {
    for owner in known.reversed() {
      if let type = schema.typeOfSelectableField(named: name, on: owner) { return (owner, type) }
    }
    return nil
  }

  /// The types of a field's object: one for each known type that has the field, since an interface may
  /// have it with another type.
  private func types(of field: String, _ known: [NamedType]) -> [NamedType] {
    var types: [NamedType] = []
    for owner in known {
      guard let reference = schema.typeOfSelectableField(named: field, on: owner),
        let type = schema.namedType(of: reference), type.isCompositeType
      else { continue }
      if let position = types.firstIndex(where: { $0.name == type.name }) {
        types.remove(at: position)
      }
      types.append(type)
    }
    return types
  }
}

extension ViewBuilder.Draft {
  fileprivate mutating func markWritten() {
    if case .field(let node, isWritten: false) = kind { kind = .field(node, isWritten: true) }
  }
}

extension ViewBuilder.Drafts {
  fileprivate mutating func position(of field: FieldNode) -> Int {
    let position = fields.position(of: field.key, adding: entries.count)
    return added(.field(field, isWritten: field.isWritten), at: position)
  }

  fileprivate mutating func position(ofCondition type: String) -> Int {
    added(.condition(type), at: conditions.position(of: type, adding: entries.count))
  }

  fileprivate mutating func position(of spread: SpreadNode) -> Int {
    let position = fragments.position(of: spread.name, adding: entries.count)
    return added(.fragment(spread.name, isWritten: spread.isWritten), at: position)
  }

  /// Adds an entry if the position is that of a new one.
  private mutating func added(
    _ kind: @autoclosure () -> ViewBuilder.DraftKind, at position: Int
  ) -> Int {
    if position == entries.count { entries.append(ViewBuilder.Draft(kind: kind())) }
    return position
  }

  fileprivate mutating func add(
    _ fragment: InlineFragmentNode, _ deferral: Delivery, _ conditions: Conditions
  ) {
    let isKnown = entries.contains { entry in
      if case .deferred(let other, _) = entry.kind {
        other.selections === fragment.selections
      } else {
        false
      }
    }
    if isKnown { return }
    var entry = ViewBuilder.Draft(kind: .deferred(fragment, deferral))
    entry.delivery = deferral
    entry.add(fragment.selections, conditions)
    entries.append(entry)
  }
}

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
