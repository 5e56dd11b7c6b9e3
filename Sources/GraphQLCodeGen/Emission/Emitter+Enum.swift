extension Emitter {
  /// An enum. Names are in one string, which compiles much faster than a raw value per case.
  func enumeration(_ type: EnumPlan, _ writer: inout SourceWriter) {
    let base =
      type.hasDeprecatedCases
      ? RuntimeSymbols.enumerationWithDeprecatedCases : RuntimeSymbols.enumeration
    writer.blank()
    comment(type.documentation, &writer)
    writer.block("\(access)enum \(type.name): \(base)") { writer in
      for enumCase in type.cases {
        comment(enumCase.documentation, &writer)
        attribute(enumCase.deprecation, &writer)
        writer.line("case \(enumCase.name)")
      }
      writer.line("/// A value that the schema does not list.")
      writer.line("case \(RuntimeSymbols.unknownValue)")
      writer.blank()
      let names = type.cases.map(\.schemaName).joined(separator: " ")
      writer.block(
        "\(access)static var \(RuntimeSymbols.enumNames): \(standard("StaticString"))"
      ) { writer in
        writer.line("\"\(names)\"")
      }
      if type.hasDeprecatedCases { allCases(of: type, &writer) }
    }
  }

  /// Swift does not synthesise the list of cases if one of them is deprecated. The list is
  /// deprecated too, since it names that case; the runtime reads it as a requirement, without a
  /// warning.
  private func allCases(of type: EnumPlan, _ writer: inout SourceWriter) {
    let cases = type.cases.map(\.name) + [RuntimeSymbols.unknownValue]
    writer.blank()
    writer.line("@available(*, deprecated)")
    writer.block("\(access)static var \(RuntimeSymbols.enumCases): [\(type.name)]") { writer in
      writer.line("[\(cases.map { "." + $0 }.joined(separator: ", "))]")
    }
  }
}
