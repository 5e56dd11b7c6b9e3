import GraphQLSchema

/// How a selection set of an interface or union gets the keys of its objects.
struct KeyPlan {
  /// Fragments that are added to the set.
  var fragments: [KeyFragment] = []
  /// Objects whose key is added to a type condition of the set.
  var conditioned: Set<String> = []
  /// Objects whose key is not added, since too many fragments would be needed, in the order of the schema.
  var omitted: [String] = []
  /// Fragments that cannot be added, since another field has the name of a key.
  var hidden: [Hidden] = []
  /// The objects that lack a key because of that.
  var hiddenObjects: Set<String> = []

  struct Hidden {
    let fragment: KeyFragment
    let key: String
    let field: Document.Field
  }

  /// Whether the completed set has the key of an object of its type.
  func completes(_ object: String) -> Bool {
    !hiddenObjects.contains(object) && !omitted.contains(object)
  }
}
