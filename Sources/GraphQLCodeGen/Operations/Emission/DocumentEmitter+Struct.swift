extension DocumentEmitter {
  /// A struct with its accessors and nested types.
  ///
  /// - Parameter head: Writes what comes before the stored property.
  func structure(
    _ plan: StructPlan, conformance: String, _ documentation: Documentation,
    _ writer: inout SourceWriter, head: (inout SourceWriter) -> Void = { _ in }
  ) {
    var conformances = "\(conformance), \(standard("Hashable"))"
    if plan.isIdentifiable { conformances += ", \(standard("Identifiable"))" }
    writer.comment(documentation)
    writer.block("\(nonisolated)\(access)struct \(plan.name): \(conformances)") { writer in
      head(&writer)
      // Internal, so that the type needs no public initialiser: the runtime makes values of it.
      writer.line("let \(RuntimeSymbols.selectedFields): \(RuntimeSymbols.fields)")
      for member in plan.members { self.member(member, &writer) }
      if let cases = plan.cases { self.cases(cases, &writer) }
      for nested in plan.nested {
        writer.blank()
        switch nested {
        case .structure(let plan):
          structure(
            plan, conformance: RuntimeSymbols.selectedObject, plan.documentation, &writer)
        case .alias(let name, let path): writer.line("\(access)typealias \(name) = \(path)")
        }
      }
    }
  }

  private func member(_ plan: MemberPlan, _ writer: inout SourceWriter) {
    writer.comment(plan.documentation)
    writer.attribute(plan.deprecation)
    writer.line { line in
      line.append(name: variable)
      line.append(name: plan.property)
      line.append(": ")
      plan.type.spell(prefix: prefix, into: &line)
      line.append(" { ")
      if let key = plan.caughtKey {
        line.append(name: "get throws(\(RuntimeSymbols.responseError)) { ")
        line.append(name: "try \(RuntimeSymbols.selectedFields).\(RuntimeSymbols.readCaught)(")
        line.append(name: "\(plan.slot), \(EscapedText.literal(key)), ")
        read(plan.accessor, plan.slot, &line, arguments: plan.arguments)
        line.append(") }")
      } else {
        read(plan.accessor, plan.slot, &line, arguments: plan.arguments)
      }
      line.append(" }")
    }
  }

  /// `_fields.string(3)`
  private func read(
    _ accessor: String, _ slot: Int, _ line: inout SourceText, arguments: String = ""
  ) {
    line.append(name: Self.fields)
    line.append(name: accessor)
    line.append("(")
    line.append(name: String(slot))
    if !arguments.isEmpty { line.append(name: arguments) }
    line.append(")")
  }

  /// The enum for a `switch` over the types of an object.
  private func cases(_ plan: CasesPlan, _ writer: inout SourceWriter) {
    writer.line("/// The object as the first of the selected types that it has.")
    writer.block("\(access)var \(plan.property): \(plan.name)") { writer in
      let accessor = RuntimeSymbols.readObject + RuntimeSymbols.optionalSuffix
      for enumCase in plan.cases {
        writer.line { line in
          line.append("if let object: ")
          line.append(name: enumCase.type)
          line.append(" = ")
          read(accessor, enumCase.slot, &line)
          line.append(" { return .")
          line.append(name: enumCase.name)
          line.append("(object) }")
        }
      }
      writer.line { line in
        line.append("return .other(")
        read(RuntimeSymbols.readString, plan.typenameSlot, &line)
        line.append(")")
      }
    }
    writer.blank()
    writer.line("/// The selected types of the object.")
    writer.block("\(nonisolated)\(access)enum \(plan.name): \(standard("Sendable"))") { writer in
      for enumCase in plan.cases { writer.line("case \(enumCase.name)(\(enumCase.type))") }
      writer.line("/// Another type, by its name in the schema.")
      writer.line("case other(\(standard("String")))")
    }
  }
}
