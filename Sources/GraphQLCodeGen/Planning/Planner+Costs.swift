import GraphQLSchema

extension Planner {
  /// A line for each definition with `@cost` or `@listSize`
  /// (https://ibm.github.io/graphql-specs/cost-spec.html), so none for most schemas.
  ///
  /// A weight that is not a number is left out, since its meaning is known only to the service.
  var costs: [String] {
    var lines: [String] = []
    for type in schema.types {
      append(type.directives, of: type.name, to: &lines)
      switch type {
      case .object(let object): append(object.fields.elements, of: object.name, to: &lines)
      case .interface(let interface):
        append(interface.fields.elements, of: interface.name, to: &lines)
      case .inputObject(let input):
        for field in input.fields.elements {
          append(field.directives, of: "\(input.name).\(field.name)", to: &lines)
        }
      case .union, .enum, .scalar: break
      }
    }
    for directive in schema.directives {
      append(directive.arguments.elements, of: "@\(directive.name)", to: &lines)
    }
    return lines
  }

  private func append(
    _ fields: [FieldDefinition], of type: String, to lines: inout [String]
  ) {
    // By position, which copies no definition.
    for position in fields.indices {
      let arguments = fields[position].arguments.elements
      if fields[position].directives.isEmpty,
        arguments.allSatisfy(\.directives.isEmpty)
      {
        continue
      }
      let coordinate = "\(type).\(fields[position].name)"
      append(
        fields[position].directives, arguments: arguments, of: coordinate, to: &lines)
      append(arguments, of: coordinate, to: &lines)
    }
  }

  private func append(
    _ arguments: [InputValueDefinition], of owner: String, to lines: inout [String]
  ) {
    for argument in arguments where !argument.directives.isEmpty {
      append(argument.directives, of: "\(owner)(\(argument.name):)", to: &lines)
    }
  }

  private func append(
    _ directives: [Document.Directive], arguments: [InputValueDefinition] = [],
    of coordinate: String, to lines: inout [String]
  ) {
    guard !directives.isEmpty else { return }
    var words = ["*" + coordinate]
    for directive in directives {
      switch directive.name {
      case "cost":
        if let weight = directive.argument("weight")?.weight { words.append(weight) }
      case "listSize": words += sizes(directive, arguments)
      default: break
      }
    }
    if words.count > 1 { lines.append(words.joined(separator: " ")) }
  }

  private func sizes(
    _ directive: Document.Directive, _ arguments: [InputValueDefinition]
  ) -> [String] {
    var words: [String] = []
    let slicing = directive.argument("slicingArguments")?.names ?? []
    if !slicing.isEmpty {
      let list = slicing.map { name in
        let value = arguments.first { $0.name == name }?.defaultValue?.weight
        return value.map { "\(name)=\($0)" } ?? name
      }
      words.append("by:" + list.joined(separator: ","))
    }
    // Hot Chocolate states the size without a slicing argument apart from the largest one.
    let size =
      directive.argument("slicingArgumentDefaultValue")?.weight
      ?? directive.argument("assumedSize")?.weight
    if let size { words.append("size:" + size) }
    let sized = directive.argument("sizedFields")?.names ?? []
    if !sized.isEmpty { words.append("of:" + sized.joined(separator: ",")) }
    return words
  }
}

extension Document.Value {
  /// A number, which the specification writes as a string, and Apollo's router as a number.
  fileprivate var weight: String? {
    let text: String
    switch kind {
    case .int(let digits), .float(let digits), .string(let digits): text = digits
    default: return nil
    }
    guard let number = Double(text), abs(number) <= 1e12 else { return nil }
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  /// The names in a list, or one name without a list. A name may have those of fields of input
  /// objects after it, separated by dots.
  fileprivate var names: [String] {
    let values = if case .list(let items) = kind { items } else { [self] }
    return values.compactMap { value in
      guard case .string(let name) = value.kind, !name.isEmpty,
        name.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || isNameContinue($0) })
      else { return nil }
      return name
    }
  }
}
