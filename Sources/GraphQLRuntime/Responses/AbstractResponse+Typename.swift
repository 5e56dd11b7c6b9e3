extension GraphQL.AbstractResponse {
  /// The name of the object's type; for a type that the schema does not list, the server's name
  /// (specification: 3.2.2 Type Name Introspection).
  public final var __typename: String {
    if let probe = document.probe {
      return probe.read("__typename", document.alias, String._placeholder) { $0 == $1 }
    }
    if let index = _find("__typename", nil), let name = reader(index).string { return name }
    return typeInfo?.name ?? "\(Self.self)"
  }
}
