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
