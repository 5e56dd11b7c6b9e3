import GraphQLSchema

/// A fragment that is added to documents, with the key of objects whose interface or union does not have it.
///
/// A type condition would be one of the struct's cases, with all fields around it.
struct KeyFragment: Hashable {
  let type: String
  let fields: [String]

  /// The same in all modules, so no other fragment may have it.
  var name: String {
    // Names in the schema may contain the separator.
    "_" + ([type] + fields).map { $0.replacing("_", with: "__") }.joined(separator: "_")
  }

  var definition: FragmentDefinition {
    FragmentDefinition(
      name: name, typeCondition: TypeName(type),
      selectionSet: Document.SelectionSet(fields.map { .field(Document.Field(name: $0)) }))
  }
}
