import GraphJSON
import GraphQLSchema

/// Input coercion by type: of the values of variables (section 6.1.2) and of literals (section
/// 6.4.1), with the rules of chapter 3.
///
/// Recursion is limited by the depth of the value. However, default values of input fields may lead
/// from type to type, so depth and steps have their own limits.
struct InputCoercer {
  static let maximumDepth = 500
  static let maximumSteps = 250_000

  let schema: ServiceSchema
  /// The coerced values of the operation's variables, for literals; variables without a value are
  /// absent.
  var variables: JSON.Object = [:]
  private var steps = 0
  var depth = 0
  /// Whether a value that does not have its type is accepted as it is written.
  private(set) var isLenient = false

  init(schema: ServiceSchema) { self.schema = schema }

  /// Coerces JSON, such as the value given for a variable.
  mutating func coerce(_ value: JSON, as type: TypeReference) throws(InputFailure) -> JSON {
    try enter()
    defer { depth -= 1 }
    switch (type, value) {
    case (.nonNull, .null): throw .null(type)
    case (_, .null): return .null
    case (.nonNull(let inner), _): return try coerce(value, as: inner)
    case (.list(let itemType), .array(let items)):
      return try coerceItems(items, at: { _ in nil }) { coercer, item throws(InputFailure) in
        try coercer.coerce(item, as: itemType)
      }
    case (.list(let itemType), _): return .array([try coerce(value, as: itemType)])
    case (.named(let name), _): return try coerceNamed(value, name)
    }
  }

  private mutating func coerceNamed(_ value: JSON, _ name: String) throws(InputFailure) -> JSON {
    switch schema.type(named: name) {
    case .scalar:
      guard let result = ScalarCoercion.input(value, name) else { throw .mismatch(value, name) }
      return result
    case .enum(let type):
      guard case .string(let text) = value else { throw .mismatch(value, name) }
      guard type.values.contains(name: text) else { throw .unknown(text, in: type) }
      return value
    case .inputObject(let type):
      guard case .object(let object) = value else { throw .mismatch(value, name) }
      for key in object.keys where !type.fields.contains(name: key) {
        throw .unknownField(key, of: type)
      }
      if type.isOneOf, object.count != 1 || object.members[0].value.isNull {
        throw .oneOf(type)
      }
      var result = JSON.Object()
      for field in type.fields.elements {
        if let given = object[field.name] {
          result[field.name] = try step("." + field.name, nil) { coercer throws(InputFailure) in
            try coercer.coerce(given, as: field.type)
          }
        } else {
          result[field.name] = try absent(field, of: type)
        }
      }
      return .object(result)
    case .object, .interface, .union, nil:
      throw InputFailure("\(quoted(name)) is not an input type.")
    }
  }

  /// The default value of an input field or argument that is not given; nil if it has none.
  mutating func absent(
    _ field: InputValueDefinition, of type: InputObjectType
  ) throws(InputFailure) -> JSON? {
    if let value = field.defaultValue {
      return try step("." + field.name, nil) { coercer throws(InputFailure) in
        try coercer.coerce(defaultValue: value, as: field.type)
      }
    }
    if field.type.isNonNull, !isLenient {
      throw InputFailure(
        "The input field \(quoted("\(type.name).\(field.name)")) of type "
          + "\(quoted(field.type.description)) is missing.")
    }
    return nil
  }

  /// Coerces a default value of the schema. ``SchemaRules/client`` accepts wrong ones, since a client
  /// sends none: the service uses its own value, of which the schema's is only a description. So a
  /// wrong value fails no request.
  mutating func coerce(
    defaultValue value: Document.Value, as type: TypeReference
  ) throws(InputFailure) -> JSON {
    let wasLenient = isLenient
    isLenient = true
    defer { isLenient = wasLenient }
    return try coerce(constant: value, as: type)
  }

  /// Coerces a default value, which names no variables.
  mutating func coerce(
    constant value: Document.Value, as type: TypeReference
  ) throws(InputFailure) -> JSON {
    do throws(InputFailure) {
      return try coerce(value, as: type)
    } catch {
      // Default values of the schema come from other sources than the document.
      var failure = error
      failure.range = nil
      throw failure
    }
  }

  mutating func coerceItems<Item>(
    _ items: [Item], at range: (Item) -> SourceRange?,
    _ coerce: (inout InputCoercer, Item) throws(InputFailure) -> JSON
  ) throws(InputFailure) -> JSON {
    var result: [JSON] = []
    result.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      result.append(
        try step("[\(index)]", range(item)) { coercer throws(InputFailure) in
          try coerce(&coercer, item)
        })
    }
    return .array(result)
  }

  mutating func step(
    _ name: @autoclosure () -> String, _ range: SourceRange?,
    _ body: (inout InputCoercer) throws(InputFailure) -> JSON
  ) throws(InputFailure) -> JSON {
    do throws(InputFailure) {
      return try body(&self)
    } catch {
      throw error.inside(name(), range)
    }
  }

  mutating func enter() throws(InputFailure) {
    depth += 1
    steps += 1
    if depth > Self.maximumDepth || steps > Self.maximumSteps {
      depth -= 1
      throw InputFailure("The value is too large or nested too deeply.")
    }
  }
}

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

/// Section 6.4.1, CoerceArgumentValues; also for the arguments of directives.
extension InputCoercer {
  /// - Throws: an execution error with the position of the argument, or of the field if it is
  ///   missing.
  mutating func coerceArguments(
    _ arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>,
    at range: SourceRange,
    _ sources: [Source]
  ) throws(ExecutionError) -> JSON.Object {
    var values = JSON.Object()
    for definition in definitions.elements {
      let argument = arguments.first { $0.name == definition.name }
      do throws(InputFailure) {
        values[definition.name] = try coerceArgument(argument, definition)
      } catch {
        throw ExecutionError(
          "The argument \(quoted(definition.name + error.path)) is invalid: \(error.message)",
          locations: sources.locations(of: [error.range ?? argument?.value.range ?? range]))
      }
    }
    return values
  }

  private mutating func coerceArgument(
    _ argument: Document.Argument?, _ definition: InputValueDefinition
  ) throws(InputFailure) -> JSON? {
    if let argument {
      if case .variable(let name) = argument.value.kind, variables[name] == nil {
        // Not given, so it is treated as if the argument was not written.
        if definition.defaultValue == nil, definition.type.isNonNull {
          throw .nullVariable(name, definition.type, at: argument.value.range)
        }
      } else {
        return try coerce(argument.value, as: definition.type)
      }
    }
    if let value = definition.defaultValue {
      return try coerce(defaultValue: value, as: definition.type)
    }
    if definition.type.isNonNull {
      throw InputFailure(
        "A value of type \(quoted(definition.type.description)) is required.")
    }
    return nil
  }
}
