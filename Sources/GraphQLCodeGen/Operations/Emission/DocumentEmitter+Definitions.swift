import GraphJSON

extension DocumentEmitter {
  func operation(_ plan: OperationPlan, _ writer: inout SourceWriter) {
    writer.comment(plan.documentation)
    writer.block("\(nonisolated)\(access)struct \(plan.name): \(plan.kind)") { writer in
      writer.line("\(access)typealias \(RuntimeSymbols.response) = \(RuntimeSymbols.data)")
      writer.line("let \(RuntimeSymbols.storedVariables): \(RuntimeSymbols.variables)")
      writer.blank()
      initializer(plan, &writer)
      writer.blank()
      structure(
        plan.data, conformance: RuntimeSymbols.selectedRoot, plan.data.documentation, &writer
      ) { writer in
        text(plan.text, &writer, directives: directives(plan.clientDirectives))
      }
    }
  }

  func fragment(_ plan: FragmentPlan, _ writer: inout SourceWriter) {
    structure(
      plan.fields, conformance: RuntimeSymbols.typedFragment, plan.documentation, &writer
    ) { writer in
      text(plan.text, &writer)
    }
  }

  /// The document with what identifies it. A function: a stored property would be a global variable with code that
  /// initialises it, and a computed one would export a descriptor.
  private func text(
    _ plan: TextPlan, _ writer: inout SourceWriter, directives: String = ""
  ) {
    let type = RuntimeSymbols.documentText
    writer.block("\(access)static func \(RuntimeSymbols.document)() -> \(type)") { writer in
      writer.line("\(type)(")
      writer.indented { writer in
        writer.line("schema: \(schema),")
        writer.line("text: \(EscapedText.literal(plan.text)),")
        let digits = String(plan.shape, radix: 16, uppercase: true)
        let shape = String(repeating: "0", count: 8 - digits.utf8.count) + digits
        writer.line("hash: \"\(plan.hash)\", shape: 0x\(shape)\(directives))")
      }
    }
  }

  /// The argument for the directives that are not sent.
  private func directives(_ uses: [ClientDirectiveUse]) -> String {
    guard !uses.isEmpty else { return "" }
    var json = JSONWriter()
    json.value(
      .array(
        uses.map { use in
          .array([.string(use.name), .array(use.path.map(JSON.string)), .object(use.arguments)])
        }))
    let text = String(decoding: json.finish(), as: UTF8.self)
    return ", directives: \(EscapedText.literal(text))"
  }

  private func initializer(_ plan: OperationPlan, _ writer: inout SourceWriter) {
    let stored = RuntimeSymbols.storedVariables
    let empty = "\(RuntimeSymbols.variables)(\(RuntimeSymbols.data).self)"
    writer.comment(plan.initializer)
    let parameters = plan.variables.map { $0.parameter(default: "nil", prefix: prefix) }
    writer.function("\(access)init", parameters) { writer in
      guard !plan.variables.isEmpty else {
        writer.line("\(stored) = \(empty)")
        return
      }
      let local = RuntimeSymbols.localVariables
      writer.line("var \(local) = \(empty)")
      for variable in plan.variables {
        writer.line(
          "\(local).\(RuntimeSymbols.addVariable)(\"\(variable.schemaName)\", \(variable.variable))"
        )
      }
      writer.line("\(stored) = \(local)")
    }
  }
}
