/// Writes documents in one canonical form: two spaces of indent, block strings for descriptions,
/// one member per line. Parsing the output gives the same document.
struct DocumentPrinter {
  private(set) var text = ""
  private var indentation = ""
  /// Whether `@deprecated` is written without its reason if that is the default one.
  var omitsDefaultReason = false

  mutating func write(_ text: String) { self.text += text }

  /// Starts a line at the current indentation.
  mutating func startLine() {
    text += "\n"
    text += indentation
  }

  mutating func indent(_ body: (inout DocumentPrinter) -> Void) {
    let outer = indentation
    indentation += "  "
    body(&self)
    indentation = outer
  }

  /// `opening`, each element on its own line, `closing`; nothing if there are none.
  mutating func block<Element>(
    _ opening: String, _ elements: [Element], _ closing: String,
    _ element: (inout DocumentPrinter, Element) -> Void
  ) {
    if elements.isEmpty { return }
    write(opening)
    indent { printer in
      for item in elements {
        printer.startLine()
        element(&printer, item)
      }
    }
    startLine()
    write(closing)
  }

  mutating func write(_ document: [Document.Definition]) {
    for (position, definition) in document.enumerated() {
      if position > 0 { write("\n\n") }
      write(definition)
    }
    write("\n")
  }

  private mutating func write(_ definition: Document.Definition) {
    switch definition {
    case .operation(let operation): write(operation)
    case .fragment(let fragment): write(fragment)
    case .schema(let schema): write(schema, keyword: "schema")
    case .schemaExtension(let schema): write(schema, keyword: "extend schema")
    case .type(let type): write(type)
    case .directive(let directive): write(directive)
    case .typeExtension(let type):
      write("extend ")
      write(type)
    case .directiveExtension(let directive):
      write("extend directive @\(directive.name)")
      write(directive.directives)
    }
  }

  /// A description and the line break after it; a block string if it can represent the text.
  mutating func write(description: String?) {
    guard let description else { return }
    if let lines = blockStringLines(description) {
      write("\"\"\"")
      if lines.count == 1, fitsOneLine(lines[0]) {
        write(lines[0])
      } else {
        for line in lines {
          if line.isEmpty { write("\n") } else { startLine() }
          write(line)
        }
        startLine()
      }
      write("\"\"\"")
    } else {
      write(quotedString(description))
    }
    startLine()
  }

  private func fitsOneLine(_ line: String) -> Bool {
    line.utf8.count <= 80 && line.utf8.last != 0x22 && line.utf8.last != 0x5C
  }
}

extension Document: CustomStringConvertible {
  /// The document in canonical form. Parsing it gives this document again; comments and layout are
  /// not kept.
  public var description: String {
    var printer = DocumentPrinter()
    printer.write(definitions)
    return printer.text
  }
}
