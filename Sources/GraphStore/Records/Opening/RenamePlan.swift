import GraphQLRuntime
import GraphStorage

/// The declared renames combined: the current name for each old name. They are applied
/// simultaneously, so that two names can be swapped.
struct RenamePlan {
  /// The current names of types, by their old ones.
  private(set) var types: [String: String] = [:]
  /// The policies of the schema, which determine what rows a type may have.
  private let policies: Policies
  /// The current names of fields, by the types' current names and their old ones.
  private(set) var fields: [String: [String: String]] = [:]
  /// The current names of enum values, by the enums' current names and the values' old ones.
  private(set) var values: [String: [String: String]] = [:]
  /// The types of which no row is kept: their names belong to other types now, and their own types
  /// are not stored.
  private(set) var dropped: Set<String> = []
  /// Whether some names are left out since they mean different things in the file.
  private(set) var isAmbiguous = false

  var isEmpty: Bool { types.isEmpty && fields.isEmpty && values.isEmpty }

  /// - Parameters:
  ///   - states: the possible states of the schema with which the data was written, as numbers of
  ///     applied renames; by default the oldest one.
  ///   - notes: receives the errors in the declarations, which are then left out.
  init(
    _ renames: [Graph.SchemaRename], from states: ClosedRange<Int> = 0...0, _ policies: Policies,
    notes: inout MigrationNotes
  ) {
    self.policies = policies
    let builder = Builder(renames: renames, states: states, schema: policies.schema)
    addTypes(builder, policies, &notes)
    let members = builder.members(&notes)
    addFields(members.filter { $0.kind == .field }, builder, &notes)
    addValues(members.filter { $0.kind == .enumValue }, builder, &notes)
  }

  /// The old names of a history that differ from their current ones, with these.
  private mutating func names(
    _ history: RenameHistory, _ builder: Builder, prefix: String, _ notes: inout MigrationNotes
  ) -> [String: String] {
    for name in history.reused { notes.note(prefix + name, .stillInSchema, count: 0) }
    var names: [String: String] = [:]
    for old in history.oldNames {
      let possible = history.possible(old, in: builder.states, of: builder.renames.count)
      if possible.count > 1 {
        isAmbiguous = isAmbiguous || builder.states.count > 1
        notes.note(prefix + old, .ambiguous, count: 0)
      } else if let new = possible.first, new != old {
        names[old] = new
      }
    }
    return names
  }

  private mutating func addTypes(
    _ builder: Builder, _ policies: Policies, _ notes: inout MigrationNotes
  ) {
    types = names(builder.types, builder, prefix: "", &notes)
    for (old, new) in types {
      let kind = policies.schema.storedKind(ofType: new)
      let isReused = policies.schema.storedKind(ofType: old) != nil
      if kind == nil {
        notes.note(old, .unknownTarget, count: 0)
        // The rows must not be those of the type that has the name now.
        if !isReused { types[old] = nil }
      } else if policies.isTransient(new) {
        notes.note(old, .transient, count: 0)
        if isReused { dropped.insert(old) } else { types[old] = nil }
      } else if kind != .object {
        // Only names of object types are stored.
        types[old] = nil
      }
    }
  }

  private mutating func addFields(
    _ members: [Builder.Member], _ builder: Builder, _ notes: inout MigrationNotes
  ) {
    let schema = builder.schema
    var owners: [String: [Builder.Member]] = [:]
    var (known, unknown): (Set<String>, Set<String>) = ([], [])
    for member in members {
      if schema.possibleTypeNames(ofType: member.type).isEmpty {
        unknown.insert("\(member.type).\(member.entry.old)")
      }
      for owner in schema.possibleTypeNames(ofType: member.type) {
        owners[owner, default: []].append(member)
      }
    }
    for (owner, members) in owners {
      let history = RenameHistory(members.map(\.entry)) {
        schema.storedType(ofField: $0, of: owner) != nil
      }
      for (old, new) in names(history, builder, prefix: "\(owner).", &notes) {
        let isKnown = schema.storedType(ofField: new, of: owner) != nil
        // A field of an interface may be missing in some of its types.
        let coordinates = members.filter { $0.entry.old == old }.map { "\($0.type).\(old)" }
        if isKnown { known.formUnion(coordinates) } else { unknown.formUnion(coordinates) }
        // The value must not be that of the field that has the name now.
        if isKnown || schema.storedType(ofField: old, of: owner) != nil {
          fields[owner, default: [:]][old] = new
        }
      }
      for name in history.reused { known.formUnion(members.map { "\($0.type).\(name)" }) }
    }
    for coordinate in unknown.subtracting(known) {
      notes.note(coordinate, .unknownTarget, count: 0)
    }
  }

  private mutating func addValues(
    _ members: [Builder.Member], _ builder: Builder, _ notes: inout MigrationNotes
  ) {
    for (type, members) in Dictionary(grouping: members, by: \.type) {
      guard builder.schema.storedKind(ofType: type) == .enumeration else {
        for member in members {
          notes.note("\(type).\(member.entry.old)", .unknownTarget, count: 0)
        }
        continue
      }
      // The schema table does not contain the values.
      let history = RenameHistory(members.map(\.entry)) { _ in nil }
      let names = names(history, builder, prefix: "\(type).", &notes)
      if !names.isEmpty { values[type] = names }
    }
  }

  func name(ofType name: String) -> String { types[name] ?? name }

  /// The current name of the type of rows, which may be the coordinate of a connection.
  func name(ofRows name: String) -> String {
    let old = GraphQL.EntityKey.policyTypeName(name)
    let type = self.name(ofType: old)
    guard old.utf8.count < name.utf8.count else { return type }
    let field = String(name.dropFirst(old.count + 1))
    return "\(type).\(fields[type]?[field] ?? field)"
  }

  /// The current name of the type of one row: its present name if the new type cannot have the row.
  func name(ofRow row: GraphQL.EntityKey) -> String {
    mayMove(row) ? name(ofRows: row.typeName) : row.typeName
  }

  /// Whether the current type of a row may have it.
  func mayMove(_ row: GraphQL.EntityKey) -> Bool {
    guard let type = types[GraphQL.EntityKey.policyTypeName(row.typeName)],
      policies.schema.storedKind(ofType: type) != nil
    else { return true }
    let owner = row.isOfConnection ? ConnectionKey(head: row).owner : row
    return policies.mayHaveRow(type, key: owner?.key ?? "")
  }

  /// Whether the keys of a connection's rows may be swapped, as they contain values of enums.
  var swapsValues: Bool {
    values.values.contains { names in names.values.contains { names[$0] != nil } }
  }
}

extension RenamePlan {
  /// The declarations by their kinds.
  fileprivate struct Builder {
    struct Member {
      let kind: Graph.SchemaRename.Kind
      /// The current name.
      let type: String
      let entry: RenameHistory.Entry
    }

    let renames: [Graph.SchemaRename]
    let states: ClosedRange<Int>
    let schema: GraphQL.SchemaTable
    let types: RenameHistory

    init(renames: [Graph.SchemaRename], states: ClosedRange<Int>, schema: GraphQL.SchemaTable) {
      self.renames = renames
      self.states = states
      self.schema = schema
      let entries = renames.enumerated().compactMap { position, rename in
        rename.kind == .type && rename.old != rename.new
          ? RenameHistory.Entry(position: position, old: rename.old, new: rename.new) : nil
      }
      types = RenameHistory(entries) { schema.storedKind(ofType: $0) != nil }
    }

    /// The renames of fields and values.
    func members(_ notes: inout MigrationNotes) -> [Member] {
      var members: [Member] = []
      for (position, rename) in renames.enumerated()
      where rename.kind != .type && rename.old != rename.new {
        guard let old = Self.split(rename.old), let new = Self.split(rename.new),
          current(old.type, at: position) == current(new.type, at: position)
        else {
          notes.note(rename.old, .invalid, count: 0)
          continue
        }
        members.append(
          Member(
            kind: rename.kind, type: current(old.type, at: position),
            entry: .init(position: position, old: old.member, new: new.member)))
      }
      return members
    }

    /// The current name of a type that an entry names: by its name at that time, an earlier one, or
    /// the current one.
    private func current(_ type: String, at position: Int) -> String {
      let state = stride(from: position, through: 0, by: -1).first {
        types.has(type, inState: $0)
      }
      return state.map { types.current(type, fromState: $0) } ?? type
    }

    private static func split(_ coordinate: String) -> (type: String, member: String)? {
      let names = coordinate.split(separator: ".", omittingEmptySubsequences: false)
      guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
      return (String(names[0]), String(names[1]))
    }
  }
}

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
