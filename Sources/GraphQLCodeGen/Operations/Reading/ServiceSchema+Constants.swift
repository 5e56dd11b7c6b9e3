import GraphJSON
import GraphQLSchema

extension ServiceSchema {
  /// A constant as JSON, coerced to its type (specification: 3.11 List, 3.10 Input Objects); nil if a variable is in it.
  /// Enum values are strings. The value is valid for the type.
  func constant(_ value: Document.Value, of type: TypeReference) -> JSON? {
    switch (value.kind, type.nullable) {
    case (.variable, _): nil
    case (.null, _): .null
    case (.list(let values), .list(let item)):
      all(values.map { constant($0, of: item) }).map { .array($0) }
    case (_, .list(let item)): constant(value, of: item).map { .array([$0]) }
    case (.object(let fields), _): object(fields, self.type(named: type.namedType))
    case (.int(let text), .named("ID")): .string(text)
    case (.int(let text), _), (.float(let text), _): JSON.Number(text: text).map { .number($0) }
    case (.string(let text), _), (.enum(let text), _): .string(text)
    case (.boolean(let value), _): .bool(value)
    // The items of a scalar that takes any value.
    case (.list(let values), _): all(values.map { constant($0, of: type) }).map { .array($0) }
    }
  }

  private func object(_ fields: [Document.ObjectField], _ type: NamedType?) -> JSON? {
    guard case .inputObject(let type)? = type else { return anyObject(fields, type) }
    var members: [JSON.Object.Member] = []
    for field in type.fields.elements {
      let written = fields.first { $0.name == field.name }?.value
      guard let value = written ?? field.defaultValue else { continue }
      guard let json = constant(value, of: field.type) else { return nil }
      members.append(JSON.Object.Member(key: field.name, value: json))
    }
    return .object(JSON.Object(members))
  }

  /// The object of a scalar that takes any value.
  private func anyObject(_ fields: [Document.ObjectField], _ type: NamedType?) -> JSON? {
    let members = fields.map { field in
      constant(field.value, of: .named(type?.name ?? "")).map { value in
        JSON.Object.Member(key: field.name, value: value)
      }
    }
    return all(members).map { .object(JSON.Object($0)) }
  }

  private func all<Element>(_ elements: [Element?]) -> [Element]? {
    let present = elements.compactMap(\.self)
    return present.count == elements.count ? present : nil
  }
}
