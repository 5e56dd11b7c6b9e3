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
