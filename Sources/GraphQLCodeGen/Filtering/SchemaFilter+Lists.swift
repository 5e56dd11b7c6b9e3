import GraphQLSchema

extension SchemaFilter {
  /// Removes the elements that the lists name, or do not name.
  mutating func applyLists() {
    for entry in configuration.allow + configuration.deny { check(entry) }
    if !configuration.allow.isEmpty { applyAllowList() }
    applyDenyList()
  }

  /// Reports a schema without a root type of queries: the type may be removed, or all of its fields.
  mutating func checkRoot() {
    guard roots[.query] == nil else { return }
    report.error(
      "RootDenied", "`allow` and `deny` remove the root type of queries, or all of its fields.",
      at: configuration.deny.first?.position ?? configuration.allow.first?.position)
  }

  /// Reports an entry that names nothing.
  private mutating func check(_ entry: Located<ListedElement>) {
    let coordinate = entry.value
    guard let type = schema.types[coordinate.type] else {
      report.error(
        "UnknownType", "There is no type `\(coordinate.type)` in the schema.", at: entry.position,
        suggestion: didYouMean(
          coordinate.type, among: schema.types.elements.map(\.name)))
      return
    }
    guard let field = coordinate.field, !type.memberNames.contains(field) else { return }
    report.error(
      "UnknownField", "The type `\(coordinate.type)` has no field `\(field)`.", at: entry.position,
      suggestion: didYouMean(field, among: type.memberNames))
  }

  /// Keeps the composite types that the allow list names, with all their fields or the named ones.
  private mutating func applyAllowList() {
    var whole: Set<String> = []
    var fields: [String: Set<String>] = [:]
    for entry in configuration.allow {
      if let field = entry.value.field {
        fields[entry.value.type, default: []].insert(field)
      } else {
        whole.insert(entry.value.type)
      }
    }
    for (name, type) in types where !whole.contains(name) {
      if let allowed = fields[name] {
        types[name] = type.keepingFields { allowed.contains($0) }
      } else if type.isCompositeType {
        types[name] = nil
      }
    }
  }

  private mutating func applyDenyList() {
    for entry in configuration.deny {
      let coordinate = entry.value
      guard let field = coordinate.field else {
        types[coordinate.type] = nil
        continue
      }
      guard let type = types[coordinate.type] else { continue }
      if case .inputObject(let input) = type, input.fields[field]?.isRequired == true {
        report.error(
          "RequiredFieldDenied",
          "The input field `\(coordinate)` is required, so it cannot be denied.",
          at: entry.position)
      }
      types[coordinate.type] = type.keepingFields { $0 != field }
    }
  }
}
