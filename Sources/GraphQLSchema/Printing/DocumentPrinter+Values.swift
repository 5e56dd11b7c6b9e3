extension DocumentPrinter {
  mutating func write(_ value: Document.Value) {
    switch value.kind {
    case .variable(let name): write("$\(name)")
    case .int(let text), .float(let text), .enum(let text): write(text)
    case .string(let text): write(quotedString(text))
    case .boolean(let value): write(value ? "true" : "false")
    case .null: write("null")
    case .list(let items):
      write("[")
      for (position, item) in items.enumerated() {
        if position > 0 { write(", ") }
        write(item)
      }
      write("]")
    case .object(let fields):
      write("{")
      for (position, field) in fields.enumerated() {
        write(position > 0 ? ", \(field.name): " : "\(field.name): ")
        write(field.value)
      }
      write("}")
    }
  }
}

extension Document.Value: CustomStringConvertible {
  /// The value in a document's syntax, on one line.
  public var description: String {
    var printer = DocumentPrinter()
    printer.write(self)
    return printer.text
  }
}
