/// Section 5.3, Fields.
extension ExecutableValidator {
  /// A selected field is defined on the type in scope (section 5.3.1).
  mutating func knownField(_ field: Document.Field, on parent: NamedType) -> FieldSignature? {
    if let signature = schema.signature(ofField: field.name, on: parent) { return signature }
    let schema = schema
    diagnostics.add(
      "KnownFields", "\(quoted(parent.name)) has no field \(quoted(field.name)).",
      at: field.nameRange,
      suggestion: schema.inlineFragmentSuggestion(field.name, on: parent)
        ?? didYouMean(field.name, among: parent.fields?.elements.map(\.name) ?? []))
    return nil
  }

  /// Scalars and enums have no selection set; all other types need one (section 5.3.3).
  mutating func leafField(_ field: Document.Field, _ type: NamedType) {
    if type.isLeafType, let selectionSet = field.selectionSet {
      diagnostics.add(
        "LeafFields",
        "\(quoted(field.name)) of type \(quoted(type.name)) cannot have a selection set.",
        at: selectionSet.range)
    } else if type.isCompositeType, field.selectionSet == nil {
      diagnostics.add(
        "LeafFields", "\(quoted(field.name)) of type \(quoted(type.name)) needs a selection set.",
        at: field.nameRange, suggestion: "Did you mean \(quoted("\(field.name) { … }"))?")
    }
  }

  /// Fields with one response name can be merged into one (section 5.3.2).
  mutating func fieldMerging() {
    var merging = FieldMerging(
      schema: schema, selections: selections, fragments: fragmentUses.map(\.selectionSet),
      maximumSteps: maximumSteps)
    merging.check(operationUses.map(\.selectionSet))
    merging.check(unspreadFragments().map { fragmentUses[$0].selectionSet })
    // The remaining fragments spread each other, or have the same names.
    merging.check(fragmentUses.map(\.selectionSet))
    for conflict in merging.conflicts {
      diagnostics.add(
        "FieldMerging", conflict.message, at: conflict.field.range,
        suggestion: "Use different aliases to select both.",
        notes: [("The other field is here.", conflict.other.range)])
    }
    if merging.isIncomplete {
      diagnostics.add(
        "TooComplex",
        "The fragments overlap in too many ways to check that all fields can be merged.",
        at: operations.first?.nameRange ?? .none)
    }
  }
}

extension ServiceSchema {
  /// The suggestion if not the abstract type but some of its possible types have the field.
  fileprivate func inlineFragmentSuggestion(_ field: String, on type: NamedType) -> String? {
    guard type.isAbstractType else { return nil }
    let owners = possibleTypes(of: type).lazy.filter { $0.fields.contains(name: field) }
      .prefix(3).map { quoted("... on \($0.name)") }
    guard let last = owners.last else { return nil }
    let others = owners.dropLast().joined(separator: ", ")
    return "Did you mean to select it in \(others.isEmpty ? "" : "\(others) or ")\(last)?"
  }
}
