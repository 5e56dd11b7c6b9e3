import GraphJSON
import GraphQLRuntime
import GraphStorage

// Arguments are parts of storage keys and of the keys of connections, and may contain values of
// enums.

extension RecordRenaming {
  /// The key of a connection's row: the owner's key with its length, the arguments, the page or the cursor.
  ///
  /// - Parameter coordinate: the field's, with its current name.
  func connectionKey(_ key: String, ofField coordinate: String) -> String {
    let (owner, arguments, rest) = parts(ofConnectionKey: key)
    guard !arguments.isEmpty, let dot = coordinate.firstIndex(of: ".") else { return key }
    let field = String(coordinate[coordinate.index(after: dot)...])
    return owner + self.arguments(arguments, of: field, in: String(coordinate[..<dot])) + rest
  }

  /// The key of the head of the connection to which a row belongs.
  func headKey(ofRow key: String) -> String {
    let (owner, arguments, _) = parts(ofConnectionKey: key)
    return owner + arguments
  }

  private func parts(
    ofConnectionKey key: String
  ) -> (owner: String, arguments: String, rest: String) {
    guard let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")),
      let count = Int(key[..<colon]), count >= 0,
      let end = key.utf8.index(
        key.utf8.index(after: colon), offsetBy: count, limitedBy: key.endIndex)
    else { return (key, "", "") }
    let arguments = Self.arguments(key[end...])
    return (String(key[..<end]), String(arguments), String(key[end...].dropFirst(arguments.count)))
  }

  /// The arguments of a field or a directive at the start of a text, with their parentheses.
  private static func arguments(_ text: Substring) -> Substring {
    guard text.utf8.first == UInt8(ascii: "(") else { return "" }
    var (isText, isEscaped) = (false, false)
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if isText, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText, byte == UInt8(ascii: ")") {
        return text[...index]
      }
    }
    return ""
  }

  /// The part after a field's name in a storage key, with the current enum values.
  func arguments(_ text: String, of field: String, in type: String) -> String {
    guard !plan.values.isEmpty, !text.isEmpty else { return text }
    let arguments = Self.arguments(text[...])
    guard
      case .object(let object)? = try? JSON(parsing: Array(arguments.dropFirst().dropLast().utf8))
    else { return text }
    let members = object.members.map { member in
      let argument = schema.storedType(ofArgument: member.key, of: field, in: type)
      return JSON.Object.Member(key: member.key, value: input(member.value, argument))
    }
    let renamed = "(\(JSON.object(JSON.Object(members)).description))"
    return renamed + text.dropFirst(arguments.count)
  }

  /// The recursion is as deep as the parser allows.
  private func input(_ value: JSON, _ type: GraphQL.StoredFieldType?) -> JSON {
    guard let type else { return value }
    switch value {
    case .array(let elements): return .array(elements.map { input($0, type) })
    case .string(let text) where type.kind == .enumeration:
      return .string(plan.values[type.name]?[text] ?? text)
    case .object(let object):
      return .object(
        JSON.Object(
          object.members.map {
            JSON.Object.Member(
              key: $0.key,
              value: input($0.value, schema.storedType(ofField: $0.key, of: type.name)))
          }))
    default: return value
    }
  }

  /// The storage keys that lead to a field of an entity, with the current names. Below an object of
  /// which only an abstract type is known, they stay unchanged.
  func path(_ path: FieldErrors.Path, ofRow typeName: String) -> FieldErrors.Path {
    var type: String? = schema.objectTypeName(ofField: typeName) ?? typeName
    return path.map { key in
      guard let owner = type, !FieldErrors.isElement(key) else { return key }
      let renamed = storageKey(key.text, owner)
      let field = schema.storedType(ofField: GraphQL.StorageKey.fieldName(renamed), of: owner)
      type = field.flatMap { $0.kind == .object ? $0.name : nil }
      return ExactKey(renamed)
    }
  }
}
