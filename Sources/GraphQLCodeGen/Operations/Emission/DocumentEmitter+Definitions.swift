import GraphJSON

extension DocumentEmitter {
  func operation(_ plan: OperationPlan, _ writer: inout SourceWriter) {
    writer.comment(plan.documentation)
    writer.block("\(nonisolated)\(access)struct \(plan.name): \(plan.kind)") { writer in
      text(plan.text, &writer)
      clientDirectives(plan.clientDirectives, &writer)
      writer.line(
        "\(access)let \(RuntimeSymbols.storedVariables): \(RuntimeSymbols.variables)")
      writer.blank()
      initializer(plan, &writer)
      writer.blank()
      structure(
        plan.data, conformance: RuntimeSymbols.selectedRoot, plan.data.documentation, &writer)
    }
  }

  func fragment(_ plan: FragmentPlan, _ writer: inout SourceWriter) {
    structure(
      plan.fields, conformance: RuntimeSymbols.typedFragment, plan.documentation, &writer
    ) { writer in
      text(plan.text, &writer)
    }
  }

  /// The document with what identifies it. A computed property: a stored one would be a global variable
  /// with code that initialises it.
  private func text(_ plan: TextPlan, _ writer: inout SourceWriter) {
    let type = RuntimeSymbols.documentText
    writer.block("\(access)static var \(RuntimeSymbols.document): \(type)") { writer in
      writer.line("\(type)(")
      writer.indented { writer in
        writer.line("schema: \(schema), name: \"\(plan.name)\",")
        writer.line("text: \(EscapedText.literal(plan.text)),")
        let digits = String(plan.shape, radix: 16, uppercase: true)
        let shape = String(repeating: "0", count: 8 - digits.utf8.count) + digits
        writer.line("hash: \"\(plan.hash)\", shape: 0x\(shape))")
      }
    }
  }

  private func clientDirectives(_ uses: [ClientDirectiveUse], _ writer: inout SourceWriter) {
    guard !uses.isEmpty else { return }
    let type = RuntimeSymbols.clientDirective
    let property = RuntimeSymbols.clientDirectives
    writer.block("\(access)static var \(property): [\(type)]") { writer in
      writer.line("[")
      writer.indented { writer in
        for use in uses {
          let path = use.path.map { "\"\($0)\"" }.joined(separator: ", ")
          var json = JSONWriter()
          json.value(use.arguments)
          let arguments = EscapedText.literal(String(decoding: json.finish(), as: UTF8.self))
          writer.line("\(type)(")
          writer.indented { writer in
            writer.line("name: \"\(use.name)\", path: [\(path)],")
            writer.line("arguments: \(arguments)),")
          }
        }
      }
      writer.line("]")
    }
  }

  private func initializer(_ plan: OperationPlan, _ writer: inout SourceWriter) {
    let stored = RuntimeSymbols.storedVariables
    let empty = "\(RuntimeSymbols.variables)(Self.\(RuntimeSymbols.document))"
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
