import GraphJSON
import GraphQLSchema

extension InputCoercer {
  /// Coerces a literal. A variable without a value counts as null, except as an input field's
  /// value, where the field counts as not given.
  mutating func coerce(_ value: Document.Value, as type: TypeReference) throws(InputFailure) -> JSON
  {
    try enter()
    defer { depth -= 1 }
    if case .variable(let name) = value.kind {
      let given = variables[name] ?? .null
      // The variable's own type was checked; validation ensures that it fits here.
      if given.isNull, type.isNonNull { throw .nullVariable(name, type, at: value.range) }
      return given
    }
    switch (type, value.kind) {
    case (.nonNull, .null) where !isLenient: throw .null(type, at: value.range)
    case (_, .null): return .null
    case (.nonNull(let inner), _): return try coerce(value, as: inner)
    case (.list(let itemType), .list(let items)):
      return try coerceItems(items, at: \.range) { coercer, item throws(InputFailure) in
        try coercer.coerce(item, as: itemType)
      }
    case (.list(let itemType), _): return .array([try coerce(value, as: itemType)])
    case (.named(let name), _): return try coerceNamed(value, name)
    }
  }

  private mutating func coerceNamed(_ value: Document.Value, _ name: String) throws(InputFailure)
    -> JSON
  {
    switch schema.type(named: name) {
    case .scalar where !BuiltIn.isScalar(name): return try untyped(value)
    case .scalar:
      guard let result = ScalarCoercion.literal(value.kind, name) else {
        return try misfit(value, .mismatch(value, name))
      }
      return result
    case .enum(let type):
      guard case .enum(let text) = value.kind else {
        return try misfit(value, .mismatch(value, name))
      }
      guard type.values.contains(name: text) else {
        return try misfit(value, .unknown(text, in: type, at: value.range))
      }
      return .string(text)
    case .inputObject(let type):
      guard case .object(let given) = value.kind else {
        return try misfit(value, .mismatch(value, name))
      }
      return .object(try coerceFields(given, of: type, at: value.range))
    case .object, .interface, .union, nil:
      throw InputFailure("\(quoted(name)) is not an input type.", at: value.range)
    }
  }

  /// A value that does not have its type: an error, or as it is written.
  private mutating func misfit(
    _ value: Document.Value, _ failure: @autoclosure () -> InputFailure
  ) throws(InputFailure) -> JSON {
    guard isLenient else { throw failure() }
    return try untyped(value)
  }

  private mutating func coerceFields(
    _ given: [Document.ObjectField], of type: InputObjectType, at range: SourceRange
  ) throws(InputFailure) -> JSON.Object {
    for entry in given where !isLenient && !type.fields.contains(name: entry.name) {
      throw .unknownField(entry.name, of: type, at: entry.nameRange)
    }
    if type.isOneOf, !isLenient, given.count != 1 { throw .oneOf(type, at: range) }
    var result = JSON.Object()
    for field in type.fields.elements {
      let entry = given.first { $0.name == field.name }
      if let entry, !isAbsent(entry.value) {
        result[field.name] = try step("." + field.name, entry.value.range) {
          coercer throws(InputFailure) in try coercer.coerce(entry.value, as: field.type)
        }
      } else {
        do throws(InputFailure) {
          result[field.name] = try absent(field, of: type)
        } catch {
          throw error.inside("", entry?.value.range ?? range)
        }
      }
    }
    if type.isOneOf, !isLenient, result.count != 1 || result.members[0].value.isNull {
      throw .oneOf(type, at: range)
    }
    return result
  }

  private func isAbsent(_ value: Document.Value) -> Bool {
    if case .variable(let name) = value.kind { variables[name] == nil } else { false }
  }

  /// A literal for a custom scalar, according to its own form.
  private mutating func untyped(_ value: Document.Value) throws(InputFailure) -> JSON {
    try enter()
    defer { depth -= 1 }
    switch value.kind {
    case .variable(let name): return variables[name] ?? .null
    case .int(let text), .float(let text):
      guard let number = JSON.Number(text: text) else {
        throw InputFailure("\(quoted(text)) is not a number.", at: value.range)
      }
      return .number(number)
    case .string(let text), .enum(let text): return .string(text)
    case .boolean(let bool): return .bool(bool)
    case .null: return .null
    case .list(let items):
      var result: [JSON] = []
      for item in items { result.append(try untyped(item)) }
      return .array(result)
    case .object(let fields):
      var result = JSON.Object()
      for field in fields where !isAbsent(field.value) {
        result[field.name] = try untyped(field.value)
      }
      return .object(result)
    }
  }
}
