import Foundation
import GraphJSON
import GraphQLRuntime

extension GraphQL.SchemaTable {
  /// How the values of a field compare, given its path in the records of a type: `price.amount`.
  /// nil for a path that does not end at a leaf, passes through a list, or does not exist.
  package func leafKind(ofPath path: String, inType typeName: String) -> GraphQL.LeafKind? {
    var type = self.type(named: typeName)
    let names = path.split(separator: ".").map(String.init)
    for (position, name) in names.enumerated() {
      guard let field = type?.field(name), field.type.wrapping.isSingle else { return nil }
      if position == names.count - 1 { return GraphQL.LeafKind(field.named) }
      type = self.type(of: field)
    }
    return nil
  }
}

extension GraphQL.SchemaTable {
  /// The object types through which a path leads, without the one where it begins.
  package func entityTypeNames(along path: String, from typeName: String) -> Set<String> {
    var names: Set<String> = []
    var type = self.type(named: typeName)
    for name in path.split(separator: ".") {
      guard let field = type?.field(String(name)), let next = self.type(of: field) else { break }
      names.formUnion(possibleTypes(of: next))
      type = next
    }
    return names
  }
}

extension GraphQL.LeafKind {
  init?(_ type: GraphQL.NamedType) {
    switch type {
    case .int: self = .int
    case .float: self = .float
    case .boolean: self = .bool
    case .string, .id, .enumeration: self = .text
    case .scalar(let scalar?): self.init(scalar)
    case .scalar(nil), .composite, .input: return nil
    }
  }

  /// The kind as text, which is kept in files.
  package var name: String { rawValue }

  package init?(name: String) { self.init(rawValue: name) }
}

extension GraphQL {
  /// How the values of a Swift type are stored in a record, for comparing them there.
  package enum LeafKind: String, Sendable {
    /// Strings, IDs, enums, and scalars that are sent as strings.
    case text
    case int, float, bool
    /// Decimals and integers of any size, as text or numbers.
    case decimal
    case dateTime

    /// nil for objects and lists, and for scalars of your own, whose JSON may be anything.
    package init?(_ type: Any.Type) {
      switch type {
      case is String.Type, is ID.Type, is any Enum.Type, is LocalDate.Type, is URL.Type:
        self = .text
      case is Int.Type: self = .int
      case is Double.Type: self = .float
      case is Bool.Type: self = .bool
      case is Decimal.Type, is BigInt.Type: self = .decimal
      case is DateTime.Type: self = .dateTime
      default: return nil
      }
    }
  }

  /// The JSON form of a value as it would be in a response; nil if it has none.
  package static func _json(_ value: some InputValue) -> JSONDocument? {
    var writer = ValueWriter(.json)
    value._write(to: &writer)
    guard writer.problems.isEmpty else { return nil }
    do { return try JSONDocument(parsing: writer.bytes) } catch { return nil }
  }

  /// Seconds since 1970 of an RFC 3339 text.
  package static func _seconds(_ text: String) -> Double? {
    RFC3339.date(text)?.timeIntervalSince1970
  }
}

extension GraphQL.SchemaTable {
  /// The object types of the elements of a list field, or of the nodes of a connection; nil for a field that
  /// is neither.
  package func elementTypeNames(
    ofField field: String, of typeName: String, isConnection: Bool
  ) -> Set<String>? {
    guard let info = type(named: typeName)?.field(field), let target = type(of: info) else {
      return nil
    }
    if isConnection { return nodeTypeNames(of: target) }
    let outer = info.type.wrapping.withoutNonNull
    guard outer.outermost == .list, outer.inner.isSingle else { return nil }
    return possibleTypes(of: target)
  }

  private func nodeTypeNames(of connection: GraphQL.TypeInfo) -> Set<String>? {
    let edge = connection.field("edges").flatMap(type(of:))
    let node = connection.field("nodes") ?? edge?.field("node")
    return node.flatMap(type(of:)).map(possibleTypes)
  }
}

extension GraphQL.Wrapping {
  fileprivate var withoutNonNull: GraphQL.Wrapping {
    outermost == .nonNull ? inner : self
  }
}

extension GraphQL.FieldPath {
  /// For each step whether its field is a list, according to the schema of `root`, where the path
  /// begins. A key path with an index into a list reads the same fields as one without.
  package func lists(from root: GraphQL.AbstractResponse.Type) -> [Bool] {
    guard let schema = root.schema else { return steps.map { _ in false } }
    var type = schema.type(of: root)
    return steps.map { step in
      guard let field = type?.field(step.name) else { return false }
      type =
        if case .composite(let position) = field.named { schema.type(at: position) } else { nil }
      let wrapping = field.type.wrapping
      return (wrapping.outermost == .nonNull ? wrapping.inner : wrapping).outermost == .list
    }
  }
}

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
