#if !ONE_MODULE
  import GraphJSON
#endif

/// Writes executable definitions in the fewest bytes: between two tokens there is nothing, or one space
/// if they would be one token otherwise (section 2.1.7, insignificant commas and white space).
///
/// Descriptions are left out: they document the operation for its readers, and services of earlier
/// editions of the specification reject them.
struct CompactPrinter {
  private(set) var text: [UInt8] = []
  /// Whether the last token is a name, a number or a string.
  private var endsWithWord = false

  private mutating func punctuator(_ token: StaticString) {
    append(token)
    endsWithWord = false
  }

  private mutating func word(_ token: String) {
    if endsWithWord { text.append(UInt8(ascii: " ")) }
    text.append(contentsOf: token.utf8)
    endsWithWord = true
  }

  /// A space keeps a number apart from the dots.
  private mutating func spread() {
    if endsWithWord { text.append(UInt8(ascii: " ")) }
    punctuator("...")
  }

  // Safe: the bytes are a literal of the program.
  private mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { unsafe text.append(contentsOf: $0) }
  }

  mutating func write(_ operation: OperationDefinition) {
    let isShorthand =
      operation.operationType == .query && operation.name == nil && operation.variables.isEmpty
      && operation.directives.isEmpty
    if !isShorthand {
      word(operation.operationType.rawValue)
      if let name = operation.name { word(name) }
      if !operation.variables.isEmpty {
        punctuator("(")
        for variable in operation.variables { write(variable) }
        punctuator(")")
      }
      write(operation.directives)
    }
    write(operation.selectionSet)
  }

  mutating func write(_ fragment: FragmentDefinition) {
    word("fragment")
    word(fragment.name)
    word("on")
    word(fragment.typeCondition.name)
    write(fragment.directives)
    write(fragment.selectionSet)
  }

  private mutating func write(_ variable: VariableDefinition) {
    punctuator("$")
    word(variable.name)
    punctuator(":")
    write(variable.type)
    if let defaultValue = variable.defaultValue {
      punctuator("=")
      write(defaultValue)
    }
    write(variable.directives)
  }

  private mutating func write(_ type: TypeReference) {
    switch type {
    case .named(let name): word(name)
    case .list(let item):
      punctuator("[")
      write(item)
      punctuator("]")
    case .nonNull(let inner):
      write(inner)
      punctuator("!")
    }
  }

  private mutating func write(_ selectionSet: Document.SelectionSet) {
    punctuator("{")
    for selection in selectionSet.selections { write(selection) }
    punctuator("}")
  }

  private mutating func write(_ selection: Document.Selection) {
    switch selection {
    case .field(let field):
      if let alias = field.alias {
        word(alias)
        punctuator(":")
      }
      word(field.name)
      write(field.arguments)
      write(field.directives)
      if let selectionSet = field.selectionSet { write(selectionSet) }
    case .fragmentSpread(let fragment):
      spread()
      word(fragment.name)
      write(fragment.directives)
    case .inlineFragment(let fragment):
      spread()
      if let typeCondition = fragment.typeCondition {
        word("on")
        word(typeCondition.name)
      }
      write(fragment.directives)
      write(fragment.selectionSet)
    }
  }

  private mutating func write(_ directives: [Document.Directive]) {
    for directive in directives {
      punctuator("@")
      word(directive.name)
      write(directive.arguments)
    }
  }

  private mutating func write(_ arguments: [Document.Argument]) {
    if arguments.isEmpty { return }
    punctuator("(")
    for argument in arguments {
      word(argument.name)
      punctuator(":")
      write(argument.value)
    }
    punctuator(")")
  }

  private mutating func write(_ value: Document.Value) {
    switch value.kind {
    case .variable(let name):
      punctuator("$")
      word(name)
    case .int(let text), .float(let text), .enum(let text): word(text)
    case .string(let text): word(quotedString(text))
    case .boolean(let value): word(value ? "true" : "false")
    case .null: word("null")
    case .list(let items):
      punctuator("[")
      for item in items { write(item) }
      punctuator("]")
    case .object(let fields):
      punctuator("{")
      for field in fields {
        word(field.name)
        punctuator(":")
        write(field.value)
      }
      punctuator("}")
    }
  }
}

extension OperationDefinition {
  /// The operation in the fewest bytes, as UTF-8. Without its description.
  package var compact: [UInt8] {
    var printer = CompactPrinter()
    printer.write(self)
    return printer.text
  }
}

extension FragmentDefinition {
  /// The fragment in the fewest bytes, as UTF-8. Without its description.
  package var compact: [UInt8] {
    var printer = CompactPrinter()
    printer.write(self)
    return printer.text
  }
}

extension Document.Value: CustomStringConvertible {
  /// The value in a document's syntax, on one line.
  public var description: String {
    var text = ""
    write(into: &text)
    return text
  }

  private func write(into text: inout String) {
    switch kind {
    case .variable(let name): text += "$" + name
    case .int(let number), .float(let number), .enum(let number): text += number
    case .string(let string): text += quotedString(string)
    case .boolean(let value): text += value ? "true" : "false"
    case .null: text += "null"
    case .list(let items):
      text += "["
      for (position, item) in items.enumerated() {
        if position > 0 { text += ", " }
        item.write(into: &text)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (position, field) in fields.enumerated() {
        if position > 0 { text += ", " }
        text += field.name + ": "
        field.value.write(into: &text)
      }
      text += "}"
    }
  }
}

/// The text as a string in quotes (section 2.10.4).
package func quotedString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\u{8}": result += "\\b"
    case "\u{C}": result += "\\f"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}":
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// `apollo-persisted-query-manifest`: Apollo's format for the operations that a service accepts (trusted
/// documents).
package enum ApolloManifest {
  package static let format = "apollo-persisted-query-manifest"
  package static let version = 1

  /// An entry of the manifest.
  package struct Operation {
    let id: String
    let name: String
    let kind: OperationType
    let text: String

    /// - Parameter text: The document as it is sent.
    package init(id: String, name: String, kind: OperationType, text: String) {
      self.id = id
      self.name = name
      self.kind = kind
      self.text = text
    }
  }

  /// The bytes of a manifest, in the order of the operations.
  package static func bytes(_ operations: [Operation]) -> [UInt8] {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.beginObject()
    writer.key("format")
    writer.string(format)
    writer.key("version")
    writer.int(version)
    writer.key("operations")
    writer.beginArray()
    for operation in operations {
      writer.beginObject()
      for (key, value) in [
        ("id", operation.id), ("body", operation.text), ("name", operation.name),
        ("type", operation.kind.rawValue),
      ] {
        writer.key(key)
        writer.string(value)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.finish() + [UInt8(ascii: "\n")]
  }
}
