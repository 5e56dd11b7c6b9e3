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
