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
