import GraphJSON
import GraphQLRuntime

// The schema information that carrying stored data over to other names needs.

extension GraphQL {
  /// The kind of a type, as far as records are concerned.
  package enum StoredTypeKind: Sendable {
    case object, abstract, enumeration, other
  }

  /// The type of a field or an argument without its lists.
  package struct StoredFieldType: Sendable {
    package let name: String
    package let kind: StoredTypeKind
  }
}

extension GraphQL.SchemaTable {
  /// nil for a type that the schema does not have.
  package func storedKind(ofType name: String) -> GraphQL.StoredTypeKind? {
    guard let type = type(named: name) else { return nil }
    return switch type.kind {
    case .object: .object
    case .interface, .union: .abstract
    case .enumeration: .enumeration
    case .inputObject, .oneOfInput, .scalar: .other
    }
  }

  /// The object types that a value of the type can have; empty for a type that the schema does not have.
  package func possibleTypeNames(ofType name: String) -> Set<String> {
    type(named: name).map(possibleTypes) ?? []
  }

  /// The type of a field of a type, including input objects; nil if there is no such field.
  package func storedType(ofField field: String, of name: String) -> GraphQL.StoredFieldType? {
    guard let info = type(named: name)?.field(field) else { return nil }
    return storedType(info.type)
  }

  /// The type of an argument of a field; nil if there is no such argument.
  package func storedType(
    ofArgument argument: String, of field: String, in name: String
  ) -> GraphQL.StoredFieldType? {
    guard let info = type(named: name)?.field(field)?.argument(argument) else { return nil }
    return storedType(info.type)
  }

  private func storedType(_ type: GraphQL.TypeReference) -> GraphQL.StoredFieldType {
    GraphQL.StoredFieldType(name: type.name, kind: storedKind(ofType: type.name) ?? .other)
  }

  /// Whether a value has the form of a field's type, and its objects and links have types that are
  /// allowed there. The fields of objects are not checked.
  package func accepts(
    _ json: JSONDocument, at index: Int, asField field: String, of name: String
  ) -> Bool {
    guard let info = type(named: name)?.field(field) else { return false }
    guard GraphQL.LeafCheck(json).accepts(index, info) else { return false }
    guard let target = type(of: info) else { return true }
    let allowed = possibleTypes(of: target)
    return typeNames(of: json, at: index).allSatisfy(allowed.contains)
  }

  /// The types of the objects that a value contains or links to. Rows of connections have the type
  /// of their field. The recursion is as deep as lists are nested.
  private func typeNames(of json: JSONDocument, at index: Int) -> [String] {
    switch json.kind(at: index) {
    case .array:
      var names: [String] = []
      var element = json.firstChild(of: index)
      while element < json.end(of: index) {
        names += typeNames(of: json, at: element)
        element = json.next(after: element)
      }
      return names
    case .object:
      if let link = GraphQL.StoredLink.key(at: index, in: json) {
        return [objectTypeName(ofField: link.typeName) ?? link.typeName]
      }
      guard let name = json.member("__typename", of: index), json.kind(at: name) == .string else {
        return []
      }
      return [json.string(at: name)]
    default: return []
    }
  }
}
