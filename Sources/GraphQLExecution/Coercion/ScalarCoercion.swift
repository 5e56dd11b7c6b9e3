import GraphJSON
import GraphQLSchema

/// Input and result coercion of scalars (section 3.5). A custom scalar accepts any value.
enum ScalarCoercion {
  /// The value for an input value from a variable; nil if the type does not accept it.
  static func input(_ value: JSON, _ typeName: String) -> JSON? {
    switch (typeName, value) {
    case ("Int", .number(let number)): number.int32.map { JSON($0) }
    case ("Float", .number(let number)): number.double == nil ? nil : value
    case ("String", .string), ("Boolean", .bool), ("ID", .string): value
    case ("ID", .number(let number)): integerText(number).map(JSON.string)
    case ("Int", _), ("Float", _), ("String", _), ("Boolean", _), ("ID", _): nil
    default: value
    }
  }

  /// The value for a literal of a built-in scalar; nil if the type does not accept it.
  static func literal(_ value: Document.Value.Kind, _ typeName: String) -> JSON? {
    switch (typeName, value) {
    case ("Int", .int(let digits)): Int32(digits).map { JSON($0) }
    case ("Float", .int(let text)), ("Float", .float(let text)): number(text)
    case ("String", .string(let text)), ("ID", .string(let text)), ("ID", .int(let text)):
      .string(text)
    case ("Boolean", .boolean(let value)): .bool(value)
    default: nil
    }
  }

  /// The text of a number, if a double can represent it.
  static func number(_ text: String) -> JSON? {
    guard let number = JSON.Number(text: text), number.double != nil else { return nil }
    return .number(number)
  }

  /// The response's value for a resolver's result; nil if the type does not accept it.
  ///
  /// Stricter than required: text is not accepted as a number and a number not as text, since a
  /// resolver or fixture that confuses them is usually wrong.
  static func result(_ value: JSON, _ typeName: String) -> JSON? {
    switch (typeName, value) {
    case ("Int", .number(let number)): number.int32.map { JSON($0) }
    default: input(value, typeName)
    }
  }

  private static func integerText(_ number: JSON.Number) -> String? {
    let isInteger = number.text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
    return isInteger ? number.text : number.int64.map(String.init)
  }
}

extension ServiceSchema {
  /// Whether a field of a scalar type can have a value in a response.
  package func isResult(_ value: JSON, of scalarName: String) -> Bool {
    ScalarCoercion.result(value, scalarName) != nil
  }
}
