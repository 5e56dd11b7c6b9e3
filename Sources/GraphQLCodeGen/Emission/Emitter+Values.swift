extension Emitter {
  /// An enum. Names are in one string, which compiles much faster than a raw value per case.
  func enumeration(_ type: EnumPlan, _ writer: inout SourceWriter) {
    writer.blank()
    comment(type.documentation, &writer)
    writer.block("\(access)enum \(type.name): \(RuntimeSymbols.enumeration)") { writer in
      for enumCase in type.cases {
        comment(enumCase.documentation, &writer)
        attribute(enumCase.deprecation, &writer)
        writer.line("case \(enumCase.name)")
      }
      writer.line("/// A value that the schema does not list, by its text.")
      writer.line("case \(RuntimeSymbols.unknownValue)(\(standard("String")))")
      writer.blank()
      let names = type.cases.map(\.schemaName).joined(separator: " ")
      writer.block(
        "\(access)static var \(RuntimeSymbols.enumNames): \(standard("StaticString"))"
      ) { writer in
        writer.line("\"\(names)\"")
      }
      cases(of: type, &writer)
      position(in: type, &writer)
    }
  }

  private func cases(of type: EnumPlan, _ writer: inout SourceWriter) {
    writer.blank()
    deprecation(of: type, &writer)
    writer.block("\(access)static var \(RuntimeSymbols.enumCases): [\(type.name)]") { writer in
      writer.line("[\(type.cases.map { "." + $0.name }.joined(separator: ", "))]")
    }
  }

  private func position(in type: EnumPlan, _ writer: inout SourceWriter) {
    let parameter: SourceText = "_ text: inout \(standard("String"))"
    writer.blank()
    deprecation(of: type, &writer)
    writer.block(
      "\(access)func \(RuntimeSymbols.enumPosition)(\(parameter)) -> \(standard("Int"))"
    ) { writer in
      writer.line("switch self {")
      for (position, enumCase) in type.cases.enumerated() {
        writer.line(names: "case .\(enumCase.name): return \(position)")
      }
      writer.line("case .\(RuntimeSymbols.unknownValue)(let unknown):")
      writer.line("  text = unknown")
      writer.line("  return -1")
      writer.line("}")
    }
  }

  /// A member that names a deprecated case is deprecated too; the runtime reads it as a requirement, without a
  /// warning.
  private func deprecation(of type: EnumPlan, _ writer: inout SourceWriter) {
    if type.hasDeprecatedCases { writer.line("@available(*, deprecated)") }
  }
}

extension Emitter {
  /// An input object: a struct with the fields that were set.
  func inputObject(_ type: InputObjectPlan, _ writer: inout SourceWriter) {
    writer.blank()
    comment(type.documentation, &writer)
    writer.block("\(access)struct \(type.name): \(RuntimeSymbols.inputObject)") { writer in
      writer.line(
        "\(access)var \(RuntimeSymbols.inputFields): \(RuntimeSymbols.inputFieldStorage)")
      writer.blank()
      initializer(of: type, &writer)
      for field in type.fields {
        writer.blank()
        property(field, &writer)
      }
    }
  }

  private func initializer(of type: InputObjectPlan, _ writer: inout SourceWriter) {
    comment(type.initializer, &writer)
    let parameters = type.fields.map { parameter($0.argument, default: "nil") }
    writer.function("\(access)init", parameters) { writer in
      writer.line("\(RuntimeSymbols.inputFields) = .init()")
      for argument in type.fields.map(\.argument) {
        writer.line(
          "\(storage(RuntimeSymbols.set))(\"\(argument.schemaName)\", \(argument.variable))")
      }
    }
  }

  private func property(_ field: InputFieldPlan, _ writer: inout SourceWriter) {
    let argument = field.argument
    let read = argument.isRequired ? RuntimeSymbols.readRequired : RuntimeSymbols.readOptional
    comment(field.documentation, &writer)
    attribute(field.deprecation, &writer)
    writer.block("\(access)var \(field.property): \(argument.type.spelled())") { writer in
      writer.line("get { \(storage(read))(\"\(argument.schemaName)\") }")
      writer.line("set { \(storage(RuntimeSymbols.set))(\"\(argument.schemaName)\", newValue) }")
    }
  }

  private func storage(_ method: String) -> String {
    RuntimeSymbols.inputFields + "." + method
  }
}

extension Emitter {
  /// A `@oneOf` input object: an enum with a case per field.
  func oneOf(_ type: OneOfPlan, _ writer: inout SourceWriter) {
    let indirect = type.isIndirect ? "indirect " : ""
    writer.blank()
    comment(type.documentation, &writer)
    writer.block(
      "\(access)\(indirect)enum \(type.name): \(RuntimeSymbols.oneOfInputObject)"
    ) { writer in
      for enumCase in type.cases {
        comment(enumCase.documentation, &writer)
        attribute(enumCase.deprecation, &writer)
        writer.line("case \(enumCase.name)(\(enumCase.type.spelled()))")
      }
      writer.blank()
      field(of: type, &writer)
    }
  }

  /// The requirement of the runtime. It is deprecated if it names a deprecated case; the runtime
  /// reads it as a requirement, without a warning.
  private func field(of type: OneOfPlan, _ writer: inout SourceWriter) {
    if type.cases.contains(where: { $0.deprecation != nil }) {
      writer.line("@available(*, deprecated)")
    }
    let result = "(name: \(standard("StaticString")), value: any \(RuntimeSymbols.inputValue))"
    writer.block("\(access)var \(RuntimeSymbols.oneOfField): \(result)") { writer in
      writer.line("switch self {")
      for enumCase in type.cases {
        writer.line("case .\(enumCase.name)(let value): (\"\(enumCase.schemaName)\", value)")
      }
      writer.line("}")
    }
  }
}

extension Emitter {
  /// The directives that may be applied in documents, as static functions: `.inContext(…)`.
  func directives(_ writer: inout SourceWriter) {
    guard !plan.directives.isEmpty else { return }
    writer.blank()
    let head = "\(nonisolated)extension \(RuntimeSymbols.directive)"
    let condition = "\(RuntimeSymbols.directiveSchema) == \(plan.namespace)"
    writer.block("\(head) where \(condition)") { writer in
      for directive in plan.directives {
        writer.blank()
        function(directive, &writer)
      }
    }
  }

  private func function(_ directive: DirectivePlan, _ writer: inout SourceWriter) {
    let parameters = directive.arguments.map { parameter($0, default: "nil", prefix: prefix) }
    comment(directive.documentation, &writer)
    let head: SourceText = "\(access)static func \(directive.function)"
    writer.function(head, parameters, result: " -> Self") { writer in
      guard !directive.arguments.isEmpty else {
        writer.line("Self(\"\(directive.schemaName)\")")
        return
      }
      writer.line("var directive = Self(\"\(directive.schemaName)\")")
      for argument in directive.arguments {
        writer.line(
          "directive.\(RuntimeSymbols.argument)(\"\(argument.schemaName)\", \(argument.variable))")
      }
      writer.line("return directive")
    }
  }
}
