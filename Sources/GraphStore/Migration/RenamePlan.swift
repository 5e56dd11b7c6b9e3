import GraphQLRuntime

/// The declared renames combined: the current name for each old name.
struct RenamePlan {
  /// The current names of types, by their old ones.
  private(set) var types: [String: String] = [:]
  /// The policies of the schema, which tell what rows a type may have.
  private let policies: Policies
  /// The current names of fields, by the types' current names and their old ones.
  private(set) var fields: [String: [String: String]] = [:]
  /// The same for values of enums.
  private(set) var values: [String: [String: String]] = [:]

  var isEmpty: Bool { types.isEmpty && fields.isEmpty && values.isEmpty }

  /// - Parameter notes: receives the errors in the declarations, which are then left out.
  init(_ renames: [SchemaRename], _ policies: Policies, notes: inout MigrationNotes) {
    self.policies = policies
    for rename in renames where rename.old != rename.new {
      switch rename.kind {
      case .type:
        // If a name was changed back, its other names lead to it.
        if policies.schema.storedKind(ofType: rename.old) != nil {
          if !renames.contains(where: { $0.kind == .type && $0.new == rename.old }) {
            notes.note(rename.old, .stillInSchema, count: 0)
          }
          continue
        }
        Self.add(rename.old, rename.new, to: &types)
        for names in [\RenamePlan.fields, \.values] {
          guard let moved = self[keyPath: names].removeValue(forKey: rename.old) else { continue }
          self[keyPath: names][rename.new, default: [:]].merge(moved) { $1 }
        }
      case .field, .enumValue:
        guard let old = Self.split(rename.old), let new = Self.split(rename.new),
          name(ofType: old.type) == name(ofType: new.type)
        else {
          notes.note(rename.old, .invalid, count: 0)
          continue
        }
        let names = rename.kind == .field ? \RenamePlan.fields : \.values
        Self.add(
          old.member, new.member, to: &self[keyPath: names][name(ofType: old.type), default: [:]])
      }
    }
    checkTypes(policies, &notes)
    checkFields(policies.schema, &notes)
    checkValues(policies.schema, &notes)
  }

  private static func split(_ coordinate: String) -> (type: String, member: String)? {
    let names = coordinate.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    return (String(names[0]), String(names[1]))
  }

  /// A name that was a new one earlier is an old one from now on.
  private static func add(_ old: String, _ new: String, to names: inout [String: String]) {
    for (other, name) in names where name == old { names[other] = new }
    names[old] = new
    names[new] = nil
  }

  private mutating func checkTypes(_ policies: Policies, _ notes: inout MigrationNotes) {
    for (old, new) in types {
      let kind = policies.schema.storedKind(ofType: new)
      let reason: MigrationReport.Problem.Reason? =
        if kind == nil {
          .unknownTarget
        } else if policies.isTransient(new) {
          .transient
        } else {
          nil
        }
      if let reason { notes.note(old, reason, count: 0) }
      // Only names of object types are stored.
      if reason != nil || kind != .object { types[old] = nil }
    }
  }

  private mutating func checkFields(
    _ schema: GraphQL.SchemaTable, _ notes: inout MigrationNotes
  ) {
    var checked: [String: [String: String]] = [:]
    for (type, names) in fields {
      for (old, new) in names {
        let possible = schema.possibleTypeNames(ofType: type).filter {
          schema.storedType(ofField: new, of: $0) != nil
        }
        if possible.isEmpty { notes.note("\(type).\(old)", .unknownTarget, count: 0) }
        for name in possible {
          if schema.storedType(ofField: old, of: name) == nil {
            checked[name, default: [:]][old] = new
          } else {
            notes.note("\(name).\(old)", .stillInSchema, count: 0)
          }
        }
      }
    }
    fields = checked
  }

  private mutating func checkValues(
    _ schema: GraphQL.SchemaTable, _ notes: inout MigrationNotes
  ) {
    for (type, names) in values where schema.storedKind(ofType: type) != .enumeration {
      for old in names.keys { notes.note("\(type).\(old)", .unknownTarget, count: 0) }
      values[type] = nil
    }
  }

  func name(ofType name: String) -> String { types[name] ?? name }

  /// The current name of a row's type, which may be the coordinate of a connection; the name of the
  /// row if the new type cannot have it.
  func name(ofRow row: GraphQL.EntityKey) -> String {
    let old = GraphQL.EntityKey.policyTypeName(row.typeName)
    guard mayMove(row) else { return row.typeName }
    let type = name(ofType: old)
    guard row.isOfConnection else { return type }
    let field = String(row.typeName.dropFirst(old.count + 1))
    return "\(type).\(fields[type]?[field] ?? field)"
  }

  /// Whether the current type of a row may have it.
  func mayMove(_ row: GraphQL.EntityKey) -> Bool {
    guard let type = types[GraphQL.EntityKey.policyTypeName(row.typeName)] else { return true }
    let owner = row.isOfConnection ? ConnectionKey(head: row).owner : row
    return policies.mayHaveRow(type, key: owner?.key ?? "")
  }
}
