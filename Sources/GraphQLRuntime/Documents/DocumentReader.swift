import GraphJSON

extension GraphQL {
  /// Reads the text that the generator has written for an operation or a fragment (specification: 2
  /// Language).
  struct DocumentReader {
    private var scanner: DocumentScanner

    // Safe: the literal keeps its bytes valid during the call, which copies them.
    static func read(_ text: StaticString) -> DocumentTemplate {
      var reader = DocumentReader(
        scanner: DocumentScanner(text.withUTF8Buffer { unsafe Array($0) }))
      return reader.document()
    }

    private mutating func document() -> DocumentTemplate {
      var document = DocumentTemplate()
      while scanner.token != .end {
        let keyword = scanner.name()
        if keyword == "fragment" {
          document.fragments.append(fragment())
        } else if let kind = OperationType(rawValue: keyword) {
          document.kind = kind
          _ = scanner.name()
          document.variables = variables()
          _ = directives()
          document.selections = selectionSet()
        } else {
          scanner.failed("a definition is expected")
        }
      }
      return document
    }

    private mutating func fragment() -> DocumentTemplate.Fragment {
      let name = scanner.name()
      guard scanner.name() == "on" else { scanner.failed("`on` is expected") }
      let typeName = scanner.name()
      _ = directives()
      return DocumentTemplate.Fragment(
        name: name, typeName: typeName, selections: selectionSet())
    }

    private mutating func variables() -> [DocumentTemplate.Variable] {
      var variables: [DocumentTemplate.Variable] = []
      guard scanner.takes("(") else { return variables }
      while !scanner.takes(")") {
        scanner.expect("$")
        let name = scanner.name()
        scanner.expect(":")
        let type = type()
        let value = scanner.takes("=") ? self.value() : nil
        _ = directives()
        variables.append(DocumentTemplate.Variable(name: name, type: type, defaultValue: value))
      }
      return variables
    }

    private mutating func type() -> String {
      var text: String
      if scanner.takes("[") {
        text = "[\(type())]"
        scanner.expect("]")
      } else {
        text = scanner.name()
      }
      if scanner.takes("!") { text += "!" }
      return text
    }

    private mutating func selectionSet() -> [TemplateSelection] {
      scanner.expect("{")
      var selections: [TemplateSelection] = []
      while !scanner.takes("}") { selections.append(selection()) }
      return selections
    }

    private mutating func selection() -> TemplateSelection {
      guard scanner.token == .spread else { return .field(field()) }
      _ = scanner.next()
      var typeName: String?
      if case .name(let name) = scanner.token {
        _ = scanner.next()
        guard name == "on" else { return .spread(name: name, directives()) }
        typeName = scanner.name()
      }
      let applied = directives()
      return .inlineFragment(typeName: typeName, applied, selectionSet())
    }

    private mutating func field() -> TemplateField {
      let first = scanner.name()
      let name = scanner.takes(":") ? scanner.name() : first
      let arguments = arguments()
      let directives = directives()
      let hasSelections = scanner.token == .punctuator(UInt8(ascii: "{"))
      return TemplateField(
        responseName: first, name: name, arguments: arguments, directives: directives,
        selections: hasSelections ? selectionSet() : nil)
    }

    private mutating func directives() -> [TemplateDirective] {
      var directives: [TemplateDirective] = []
      while scanner.takes("@") {
        directives.append(TemplateDirective(name: scanner.name(), arguments: arguments()))
      }
      return directives
    }

    private mutating func arguments() -> [TemplateArgument] {
      scanner.takes("(") ? members(until: ")") : []
    }

    private mutating func members(until end: Character) -> [TemplateArgument] {
      var members: [TemplateArgument] = []
      while !scanner.takes(end) {
        let name = scanner.name()
        scanner.expect(":")
        members.append(TemplateArgument(name: name, value: value()))
      }
      return members
    }

    private mutating func value() -> TemplateValue {
      switch scanner.next() {
      case .name("true"): .json(.bool(true))
      case .name("false"): .json(.bool(false))
      case .name("null"): .json(.null)
      case .name(let name): .json(.string(name))
      case .string(let text): .json(.string(text))
      case .number(let text): .json((try? JSON(parsing: Array(text.utf8))) ?? .null)
      case .punctuator(UInt8(ascii: "$")): .variable(scanner.name())
      case .punctuator(UInt8(ascii: "[")): list()
      case .punctuator(UInt8(ascii: "{")): .object(members(until: "}"))
      default: scanner.failed("a value is expected")
      }
    }

    private mutating func list() -> TemplateValue {
      var elements: [TemplateValue] = []
      while !scanner.takes("]") { elements.append(value()) }
      return .list(elements)
    }
  }
}
