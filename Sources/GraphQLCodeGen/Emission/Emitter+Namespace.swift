extension Emitter {
  /// The namespace with the schema table and the base classes of the module.
  func namespace(_ writer: inout SourceWriter) {
    writer.blank()
    comment(plan.documentation, &writer)
    writer.block("\(access)enum \(plan.namespace): \(RuntimeSymbols.schemaNamespace)") { writer in
      schemaTable(&writer)
      writer.blank()
      abstractQuery(&writer)
      writer.blank()
      abstractResponse(&writer)
    }
  }

  private func schemaTable(_ writer: inout SourceWriter) {
    writer.line("/// The types of the schema, and the classes that stand for them.")
    writer.line("\(access)static let schema = \(RuntimeSymbols.schemaTable)(")
    writer.indented { writer in
      writer.line("name: \(Neutralized.literal(plan.namespace)),")
      writer.line("table: \"\"\"")
      writer.indented { writer in
        for line in plan.table { writer.line(line) }
        writer.line("\"\"\",")
      }
      list("queries", plan.composites.map { "\($0.queryClass).self" }, end: ",", &writer)
      list("responses", plan.composites.map { "\($0.responseClass).self" }, end: ",", &writer)
      let scalars = plan.scalars.map { scalar in
        ".init(\"\(scalar.schemaName)\", \(scalar.type.spelled()).self)"
      }
      list("scalars", scalars, end: ")", &writer)
    }
  }

  /// `label: [` … `]`, an element per line.
  private func list(
    _ label: String, _ elements: [String], end: String, _ writer: inout SourceWriter
  ) {
    guard !elements.isEmpty else {
      writer.line("\(label): []\(end)")
      return
    }
    writer.line("\(label): [")
    writer.indented { writer in
      for element in elements { writer.line(element + ",") }
    }
    writer.line("]\(end)")
  }

  private func abstractQuery(_ writer: inout SourceWriter) {
    writer.line("/// A selection on some type of the schema.")
    writer.block("\(baseAccess)class _Query: \(RuntimeSymbols.abstractQuery)") { writer in
      schemaOverride(&writer)
      guard plan.hasFieldDirectives else { return }
      let directive = "\(RuntimeSymbols.directive)<\(plan.namespace)>"
      writer.blank()
      writer.line("/// Applies a directive to the next field.")
      writer.line("@discardableResult")
      writer.block("\(access)func directive(_ directive: \(directive)) -> Self") { writer in
        writer.line("\(RuntimeSymbols.applyDirective)(directive)")
        writer.line("return self")
      }
    }
  }

  private func abstractResponse(_ writer: inout SourceWriter) {
    writer.line("/// An object of some type of the schema.")
    writer.block(
      "\(baseAccess)class _Response: \(RuntimeSymbols.abstractResponse), \(uncheckedSendable)"
    ) { writer in
      schemaOverride(&writer)
    }
  }

  private func schemaOverride(_ writer: inout SourceWriter) {
    let schema = "override \(access)class var schema: \(RuntimeSymbols.schemaTable)"
    writer.line("\(schema) { \(plan.namespace).schema }")
  }

  /// Base classes are never final, and open if their subclasses are.
  private var baseAccess: String {
    plan.classes == .open ? memberAccess : access
  }
}
