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
