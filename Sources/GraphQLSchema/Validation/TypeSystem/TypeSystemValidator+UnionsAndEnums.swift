extension TypeSystemValidator {
  /// A union has members; they are unique object types (section 3.8).
  mutating func unionMembers() {
    for case .union(let union) in schema.types.elements {
      if union.members.isEmpty {
        diagnostics.add(
          "MembersNonEmpty", "\(quoted(union.name)) must have at least one member.",
          at: union.nameRange)
      }
      reportDuplicates("member", union.members, of: union.name, code: "UnionMembers")
      for member in union.members.elements {
        guard let type = schema.type(named: member.name) else {
          reportUnknownType(member.name, at: member.range) { $0.kind == .object }
          continue
        }
        if type.kind == .object { continue }
        diagnostics.add(
          "UnionMembers",
          "The members of \(quoted(union.name)) must be object types; \(quoted(member.name)) is "
            + "\(type.kind.phrase).",
          at: member.range)
      }
    }
  }

  /// An enum has values, none of them called `true`, `false` or `null` (section 3.9).
  mutating func enumValueNames() {
    for case .enum(let enumType) in schema.types.elements {
      if enumType.values.isEmpty {
        diagnostics.add(
          "ValuesNonEmpty", "\(quoted(enumType.name)) must have at least one value.",
          at: enumType.nameRange)
      }
      for value in enumType.values.elements
      where value.name == "true" || value.name == "false" || value.name == "null" {
        diagnostics.add(
          "EnumValueNames",
          "\(quoted(enumType.name)) cannot have a value \(quoted(value.name)).",
          at: value.nameRange)
      }
    }
  }
}
