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
