extension Emitter {
  /// The namespace with the schema table and the base classes of the module.
  func namespace(_ writer: inout SourceWriter) {
    writer.blank()
    comment(plan.documentation, &writer)
    let head = "\(nonisolated)\(access)enum \(plan.namespace)"
    writer.block("\(head): \(RuntimeSymbols.schemaNamespace)") { writer in
      schemaTable(&writer)
      writer.blank()
      abstractQuery(&writer)
      writer.blank()
      abstractResponse(&writer)
    }
  }

  /// The table is in a function: bodies are not part of a file's interface. So after adding a
  /// field, the compiler only recompiles the files that use its type, not all files.
  private func schemaTable(_ writer: inout SourceWriter) {
    let type = RuntimeSymbols.schemaTable
    writer.line("/// The types of the schema, and their generated classes.")
    writer.line("\(access)static let \(RuntimeSymbols.schema) = \(Generated.makeSchema)()")
    writer.blank()
    writer.block("private static func \(Generated.makeSchema)() -> \(type)") { writer in
      writer.line("\(type)(")
      writer.indented { writer in tableArguments(&writer) }
    }
  }

  private func tableArguments(_ writer: inout SourceWriter) {
    writer.line("\(RuntimeSymbols.tableName): \(EscapedText.literal(plan.namespace)),")
    writer.line("\(RuntimeSymbols.tableText): \"\"\"")
    writer.indented { writer in
      for line in plan.table { writer.line(names: line) }
      writer.line("\"\"\",")
    }
    classes(&writer)
    let scalars = plan.scalars.map { scalar in
      ".init(\"\(scalar.schemaName)\", \(scalar.type.spelled()).self)" as SourceText
    }
    list(RuntimeSymbols.tableScalars, scalars, end: ")", &writer)
  }

  /// The classes of objects, interfaces and unions, in the order of the table.
  private func classes(_ writer: inout SourceWriter) {
    guard plan.hasBuilders else {
      // Objects of the base classes are never made for documents.
      let count = String(plan.composites.count)
      for (label, base) in [
        (RuntimeSymbols.tableQueries, Generated.abstractQuery),
        (RuntimeSymbols.tableResponses, Generated.abstractResponse),
      ] {
        writer.line("\(label): \(standard("Array"))(repeating: \(base).self, count: \(count)),")
      }
      return
    }
    // By position, which copies no plan.
    let queries = plan.composites.indices.map {
      "\(plan.composites[$0].queryClass).self" as SourceText
    }
    let responses = plan.composites.indices.map {
      "\(plan.composites[$0].responseClass).self" as SourceText
    }
    list(RuntimeSymbols.tableQueries, queries, end: ",", &writer)
    list(RuntimeSymbols.tableResponses, responses, end: ",", &writer)
  }

  /// `label: [` … `]`, an element per line.
  private func list(
    _ label: String, _ elements: [SourceText], end: String, _ writer: inout SourceWriter
  ) {
    guard !elements.isEmpty else {
      writer.line("\(label): []\(end)")
      return
    }
    writer.line("\(label): [")
    writer.indented { writer in
      for element in elements { writer.line("\(element),") }
    }
    writer.line("]\(end)")
  }

  private func abstractQuery(_ writer: inout SourceWriter) {
    writer.line("/// A selection on some type of the schema.")
    let head = "\(baseAccess)class \(Generated.abstractQuery)"
    writer.block("\(head): \(RuntimeSymbols.abstractQuery)") { writer in
      schemaOverride(&writer)
      guard plan.hasFieldDirectives, plan.hasBuilders else { return }
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
    let head = "\(baseAccess)class \(Generated.abstractResponse)"
    writer.block("\(head): \(RuntimeSymbols.abstractResponse), \(uncheckedSendable)") { writer in
      schemaOverride(&writer)
    }
  }

  private func schemaOverride(_ writer: inout SourceWriter) {
    let schema = RuntimeSymbols.schema
    let head = "override \(access)class var \(schema): \(RuntimeSymbols.schemaTable)"
    writer.line("\(head) { \(plan.namespace).\(schema) }")
  }

  /// Base classes are never final, and open if their subclasses are.
  private var baseAccess: String {
    plan.classes == .open ? memberAccess : access
  }
}

extension Emitter {
  /// `buildQuery`, `buildMutation` and `buildSubscription`, and the association of a root's query
  /// class with its response class.
  func roots(_ writer: inout SourceWriter) {
    namespaceExtension(&writer) { writer in
      for root in plan.roots {
        writer.blank()
        builder(root, &writer)
      }
    }
    for root in plan.roots {
      writer.blank()
      let head = "\(nonisolated)extension \(prefix)\(root.queryClass)"
      writer.block("\(head): \(root.operation.builder)") { writer in
        writer.line(
          "\(access)typealias \(RuntimeSymbols.response) = \(prefix)\(root.responseClass)")
      }
    }
  }

  private func builder(_ root: RootPlan, _ writer: inout SourceWriter) {
    let operation = root.operation.rawValue
    let function = "build\(CaseConversion.capitalized(operation))"
    writer.line("/// Builds a \(operation).")
    writer.line("///")
    writer.line("/// - Parameter name: The name of the operation.")
    writer.line("/// - Parameter directives: Directives of the operation.")
    writer.line("/// - Parameter subfields: Selects the fields of the root.")
    let parameters: [SourceText] = [
      "named name: \(standard("String"))? = nil",
      "directives: [\(RuntimeSymbols.directive)<\(plan.namespace)>] = []",
      "_ subfields: (\(root.queryClass)) -> \(standard("Void"))",
    ]
    let head: SourceText = "\(access)static func \(function)"
    writer.function(head, parameters, result: " -> \(root.queryClass)") { writer in
      writer.line("let query = \(root.queryClass)()")
      writer.line("query.\(RuntimeSymbols.begin)(name, directives)")
      writer.line("subfields(query)")
      writer.line("query.\(RuntimeSymbols.end)()")
      writer.line("return query")
    }
  }
}

extension RootPlan.Operation {
  /// The runtime protocol that the query class of this root adopts.
  fileprivate var builder: String {
    switch self {
    case .query: RuntimeSymbols.queryBuilder
    case .mutation: RuntimeSymbols.mutationBuilder
    case .subscription: RuntimeSymbols.subscriptionBuilder
    }
  }
}
