extension GraphQL {
  /// The part of an object that one generated struct reads: a slot for each of its entries, in the order in
  /// which they first occur.
  ///
  /// The generator numbers the slots in the same way; ``ViewChecksum`` finds a difference. The rules are in
  /// `Documentation/Notes/TypedOperations.md`.
  // Safe: it is created by one thread, and constant afterwards.
  final class RecordView: @unchecked Sendable {
    /// One entry, at the position that is its slot.
    final class Entry: Sendable {
      enum Kind: Sendable {
        /// A field with this response name.
        case field(key: String)
        /// The object as one of another type.
        case typeCase(String)
        /// The fields of a named fragment.
        case fragment(FragmentDefinition)
        /// The fields of an inline fragment on this type that may arrive later.
        case deferred(String)
      }

      let kind: Kind
      /// The view below: of a field's objects, or of the same object.
      let view: RecordView?
      /// Whether a directive leaves out all of it.
      let isExcluded: Bool
      /// The selection set of a fragment that may arrive later; nil for everything else.
      let deferred: SelectionSet?

      fileprivate init(_ draft: ViewDraft.Entry, _ view: RecordView?) {
        kind = draft.kind
        self.view = view
        isExcluded = !draft.isIncluded
        deferred =
          switch draft.kind {
          case _ where !draft.mayComeLater: nil
          case .fragment(let fragment): fragment.selectionSet
          default: draft.sets.first?.set
          }
      }
    }

    fileprivate(set) var entries: [Entry] = []

    /// The number of words: a header and the slots.
    var size: Int { 1 + entries.count }
  }

  /// Creates the views of a document.
  struct ViewBuilder {
    private let schema: SchemaTable
    private var fragments: [ObjectIdentifier: RecordView] = [:]

    init(schema: SchemaTable) { self.schema = schema }

    mutating func view(_ set: SelectionSet) -> RecordView {
      view(
        known: set.type.map { [$0] } ?? [],
        [ViewDraft.Source(set: set, isOwn: true, isIncluded: true)])
    }

    mutating func view(of fragment: FragmentDefinition) -> RecordView {
      if let known = fragments[ObjectIdentifier(fragment)] { return known }
      let made = view(fragment.selectionSet)
      fragments[ObjectIdentifier(fragment)] = made
      return made
    }

    private mutating func view(known: [TypeInfo], _ sources: [ViewDraft.Source]) -> RecordView {
      var draft = ViewDraft(schema: schema, known: known)
      for source in sources {
        draft.walk(source.set, isOwn: source.isOwn, isIncluded: source.isIncluded)
      }
      let view = RecordView()
      view.entries = draft.entries.map { entry in
        RecordView.Entry(entry, below(entry, known, sources))
      }
      return view
    }

    private mutating func below(
      _ entry: ViewDraft.Entry, _ known: [TypeInfo], _ sources: [ViewDraft.Source]
    ) -> RecordView? {
      let own = entry.sets.map {
        ViewDraft.Source(set: $0.set, isOwn: true, isIncluded: $0.isIncluded)
      }
      switch entry.kind {
      case .field:
        if own.isEmpty { return nil }
        return view(known: types(of: entry.fieldName, known), own)
      case .typeCase(let name):
        let around = sources.map {
          ViewDraft.Source(set: $0.set, isOwn: false, isIncluded: $0.isIncluded)
        }
        return view(known: known + [schema.type(named: name)].compactMap { $0 }, around + own)
      case .fragment(let fragment):
        return view(of: fragment)
      case .deferred(let name):
        return view(known: known + [schema.type(named: name)].compactMap { $0 }, own)
      }
    }

    /// The types of a field's object: one for each known type that has the field, since an interface may
    /// have it with another type. Equal ones are kept at their last place.
    private func types(of field: String, _ known: [TypeInfo]) -> [TypeInfo] {
      var types: [TypeInfo] = []
      for owner in known {
        guard let type = owner.field(field).flatMap({ schema.type(of: $0) }) else { continue }
        types.removeAll { $0.name == type.name }
        types.append(type)
      }
      return types
    }
  }

  /// The entries of a view that is being created.
  struct ViewDraft {
    struct Source {
      let set: SelectionSet
      /// Whether type conditions in it become entries.
      let isOwn: Bool
      /// Whether no directive leaves it out. Another set may have the same fields.
      let isIncluded: Bool
    }

    struct Entry {
      let kind: RecordView.Entry.Kind
      /// The field's name in the schema.
      let fieldName: String
      var sets: [(set: SelectionSet, isIncluded: Bool)] = []
      var isIncluded = false
      var mayComeLater = true
    }

    private enum Key: Hashable {
      case field(String)
      case typeCase(String)
      case fragment(String)
      case deferred(ObjectIdentifier)
    }

    let schema: SchemaTable
    let known: [TypeInfo]
    private(set) var entries: [Entry] = []
    private var slots: [Key: Int] = [:]

    init(schema: SchemaTable, known: [TypeInfo]) {
      self.schema = schema
      self.known = known
    }

    mutating func walk(_ set: SelectionSet, isOwn: Bool, isIncluded: Bool) {
      for entry in set.entries {
        switch entry {
        case .field(let field):
          add(
            .field(field.responseName), .field(key: field.responseName), field.name,
            field.selectionSet, isIncluded && field.directives.include)
        case .inlineFragment(let condition, let directives, let inner):
          let isIncluded = isIncluded && directives.include
          if directives.mayComeLater {
            guard isOwn else { continue }
            add(
              .deferred(ObjectIdentifier(inner)), .deferred(condition), "", inner, isIncluded,
              mayComeLater: true)
          } else if isCertain(condition) {
            walk(inner, isOwn: isOwn, isIncluded: isIncluded)
          } else if isOwn {
            add(.typeCase(condition), .typeCase(condition), "", inner, isIncluded)
          }
        case .spread(let fragment, let directives):
          add(
            .fragment(fragment.name), .fragment(fragment), "", nil,
            isIncluded && directives.include, mayComeLater: directives.mayComeLater)
        }
      }
    }

    private func isCertain(_ condition: String) -> Bool {
      known.isEmpty || known.contains { schema.applies(condition, to: $0) }
    }

    private mutating func add(
      _ key: Key, _ kind: RecordView.Entry.Kind, _ fieldName: String, _ set: SelectionSet?,
      _ isIncluded: Bool, mayComeLater: Bool = false
    ) {
      let slot = slots[key] ?? entries.count
      if slot == entries.count {
        slots[key] = slot
        entries.append(Entry(kind: kind, fieldName: fieldName))
      }
      if let set {
        if let known = entries[slot].sets.firstIndex(where: { $0.set === set }) {
          if isIncluded { entries[slot].sets[known].isIncluded = true }
        } else {
          entries[slot].sets.append((set, isIncluded))
        }
      }
      if isIncluded { entries[slot].isIncluded = true }
      if isIncluded, !mayComeLater { entries[slot].mayComeLater = false }
    }
  }
}

extension GraphQL {
  /// A number for the views of a document, by which code is found that was generated with other rules or
  /// from another document (FNV-1a, 32 bits).
  struct ViewChecksum {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ view: RecordView) {
      for entry in view.entries {
        switch entry.kind {
        case .field(let key):
          add(key)
          if let below = entry.view { addBody(below) } else { add(",") }
        case .typeCase(let name):
          add("on \(name)")
          if let view = entry.view { addBody(view) }
        case .fragment(let fragment): add("...\(fragment.name);")
        case .deferred:
          add("@")
          if let view = entry.view { addBody(view) }
        }
      }
    }

    mutating func add(fragment name: String, _ view: RecordView) {
      add("...\(name)")
      addBody(view)
    }

    private mutating func addBody(_ view: RecordView) {
      add("{")
      add(view)
      add("}")
    }

    private mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
    }
  }
}
