import Dispatch

/// Finds what is valid in documents and probably a mistake.
///
/// Syntax errors and violations of the specification are left to the validation: unknown names are
/// skipped here.
package struct DocumentLinter {
  /// The kinds of findings.
  package enum Rule: CaseIterable {
    /// Fragments that no selection set spreads.
    case unusedFragments
    /// Fields, arguments, input fields and enum values that the service wants to remove.
    case deprecations
    /// Pages of a connection without the information whether there are more.
    case pageInfo
  }

  private let schema: ServiceSchema
  private let rules: Set<Rule>
  private let documents: [Document]
  private let sources: [Source]
  /// Fragments by name, also those of other modules.
  private let fragments: [String: FragmentDefinition]
  private let isUsed: (String) -> Bool

  /// - Parameters:
  ///   - documents: the documents to check.
  ///   - sources: the texts to which the ranges of their definitions refer.
  ///   - fragments: their fragments and those of other modules, by name.
  ///   - isUsed: whether a fragment that no document spreads is used elsewhere.
  package init(
    _ documents: [Document], sources: [Source], fragments: [String: FragmentDefinition],
    schema: ServiceSchema, reports rules: Set<Rule> = Set(Rule.allCases),
    isUsed: @escaping (String) -> Bool = { _ in false }
  ) {
    self.schema = schema
    self.rules = rules
    self.documents = documents
    self.sources = sources
    self.fragments = fragments
    self.isUsed = isUsed
  }

  /// Parses the documents, without syntax errors, which are skipped.
  package init(
    _ sources: [Source], schema: ServiceSchema, reports rules: Set<Rule> = Set(Rule.allCases)
  ) {
    let documents = Document.parse(sources).documents
    self.init(
      documents, sources: sources, fragments: documents.fragmentsByName, schema: schema,
      reports: rules)
  }

  /// All findings, in the order of the sources and the positions in them.
  package func findings() -> [Diagnostic] {
    let walk = LintingWalk(schema: schema, rules: rules, sources: sources, fragments: fragments)
    let parts = Concurrency.map(documents, partsOf: Concurrency.documentsPerPart) { documents in
      var walk = walk
      for document in documents { walk.visit(document) }
      return walk
    }
    var diagnostics = DiagnosticCollector(sources: sources)
    for part in parts { diagnostics.add(part.diagnostics) }
    if rules.contains(.unusedFragments) {
      reportUnusedFragments(Set(parts.flatMap(\.spreads)), &diagnostics)
    }
    return diagnostics.finish().elements
  }

  /// A module without operations has its fragments for other modules.
  private func reportUnusedFragments(
    _ spreads: Set<String>, _ diagnostics: inout DiagnosticCollector
  ) {
    guard documents.contains(where: { !$0.operations.isEmpty }) else { return }
    for fragment in documents.flatMap(\.fragments)
    where !spreads.contains(fragment.name) && !isUsed(fragment.name) {
      diagnostics.add(
        "UnusedFragment", "No document of this module uses the fragment \(quoted(fragment.name)).",
        at: fragment.nameRange, as: .warning)
    }
  }
}

/// Visits documents for the rules about a single field, argument or value, and notes which fragments they spread.
struct LintingWalk {
  let rules: Set<DocumentLinter.Rule>
  private(set) var diagnostics: DiagnosticCollector
  private(set) var spreads: Set<String> = []
  private let schema: ServiceSchema
  private let fragments: [String: FragmentDefinition]

  init(
    schema: ServiceSchema, rules: Set<DocumentLinter.Rule>, sources: [Source],
    fragments: [String: FragmentDefinition]
  ) {
    self.schema = schema
    self.rules = rules
    self.fragments = fragments
    diagnostics = DiagnosticCollector(sources: sources)
  }

  mutating func visit(_ document: Document) {
    for operation in document.operations {
      for variable in operation.variables {
        if let value = variable.defaultValue { visit(value, of: variable.type) }
      }
      visit(operation.directives)
      let root = schema.rootType(for: operation.operationType).map(NamedType.object)
      visit(operation.selectionSet, on: root)
    }
    for fragment in document.fragments {
      visit(fragment.directives)
      visit(fragment.selectionSet, on: schema.type(named: fragment.typeCondition.name))
    }
  }

  // The parser limits the nesting of selection sets and values.
  private mutating func visit(_ selectionSet: Document.SelectionSet, on parent: NamedType?) {
    for selection in selectionSet.selections {
      visit(selection.directives)
      switch selection {
      case .field(let field): visit(field, on: parent)
      case .fragmentSpread(let spread): spreads.insert(spread.name)
      case .inlineFragment(let fragment):
        let condition = fragment.typeCondition.flatMap { schema.type(named: $0.name) }
        visit(fragment.selectionSet, on: condition ?? parent)
      }
    }
  }

  private mutating func visit(_ field: Document.Field, on parent: NamedType?) {
    var type: NamedType?
    if let parent, let fields = parent.fields, let position = fields.position(of: field.name) {
      // Safe: `part` gives a pointer to an element that exists during the call.
      deprecated(
        "DeprecatedField", "\(quoted("\(parent.name).\(field.name)"))",
        unsafe fields.part(at: position) { unsafe $0.pointee.directives.deprecationReason },
        at: field.nameRange)
      if !field.arguments.isEmpty {
        visit(
          field.arguments, fields.elements[position].arguments, of: "\(parent.name).\(field.name)")
      }
      if field.selectionSet != nil {
        // Safe: `part` gives a pointer to an element that exists during the call.
        type = schema.namedType(of: unsafe fields.part(at: position) { unsafe $0.pointee.type })
      }
    }
    guard let selectionSet = field.selectionSet else { return }
    if let type { pageInfo(field, selectionSet, type) }
    visit(selectionSet, on: type)
  }

  private mutating func visit(_ directives: [Document.Directive]) {
    for directive in directives {
      guard let definition = schema.directive(named: directive.name) else { continue }
      visit(directive.arguments, definition.arguments, of: "@\(directive.name)")
    }
  }

  private mutating func visit(
    _ arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>,
    of owner: @autoclosure () -> String
  ) {
    for argument in arguments {
      guard let index = definitions.position(of: argument.name) else { continue }
      deprecated(
        "DeprecatedArgument", "\(quoted("\(owner())(\(argument.name):)"))",
        definitions.elements[index].deprecationReason, at: argument.nameRange)
      visit(argument.value, of: definitions.elements[index].type)
    }
  }

  private mutating func visit(_ value: Document.Value, of type: TypeReference) {
    switch (value.kind, schema.namedType(of: type)) {
    case (.list(let items), _):
      for item in items { visit(item, of: type.itemType ?? type) }
    case (.enum(let name), .enum(let type)?):
      deprecated(
        "DeprecatedEnumValue", "\(quoted("\(type.name).\(name)"))",
        type.values[name]?.deprecationReason, at: value.range)
    case (.object(let fields), .inputObject(let type)?):
      for field in fields {
        guard let definition = type.fields[field.name] else { continue }
        deprecated(
          "DeprecatedInputField", "\(quoted("\(type.name).\(field.name)"))",
          definition.deprecationReason, at: field.nameRange)
        visit(field.value, of: definition.type)
      }
    default: break
    }
  }

  // MARK: Rules

  private mutating func deprecated(
    _ code: String, _ what: @autoclosure () -> String, _ reason: String?, at range: SourceRange
  ) {
    guard let reason, rules.contains(.deprecations) else { return }
    diagnostics.add(code, "\(what()) is deprecated: \(Self.line(reason))", at: range, as: .warning)
  }

  /// The text without line breaks.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// A page is requested, and not whether there are more. With a cursor from a variable, the program
  /// pages, and cannot find the end; otherwise, it may want only this page.
  private mutating func pageInfo(
    _ field: Document.Field, _ selectionSet: Document.SelectionSet, _ type: NamedType
  ) {
    guard rules.contains(.pageInfo), let fields = type.fields, fields.contains(name: "pageInfo")
    else { return }
    let cursors = field.arguments.filter { ["after", "before"].contains($0.name) }
    let isPaging = cursors.contains { argument in
      if case .variable = argument.value.kind { true } else { false }
    }
    guard
      !cursors.isEmpty || field.arguments.contains(where: { ["first", "last"].contains($0.name) })
    else { return }
    var page = Page()
    var visited: Set<String> = []
    collect(selectionSet, &page, &visited)
    guard page.hasItems, !page.hasInfo else { return }
    diagnostics.add(
      "MissingPageInfo",
      "\(quoted(field.name)) selects a page of a connection without \(quoted("pageInfo")), so it is "
        + "unknown whether there are more.",
      at: field.nameRange, as: isPaging ? .warning : .note,
      suggestion: "Select pageInfo { hasNextPage endCursor }.")
  }

  /// The selected fields of a connection.
  private struct Page {
    var hasItems = false
    var hasInfo = false
  }

  /// Also finds fields in fragments.
  private func collect(
    _ selectionSet: Document.SelectionSet, _ page: inout Page, _ visited: inout Set<String>
  ) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        switch field.name {
        case "edges", "nodes": page.hasItems = true
        case "pageInfo": page.hasInfo = true
        default: continue
        }
      case .inlineFragment(let fragment): collect(fragment.selectionSet, &page, &visited)
      case .fragmentSpread(let spread):
        if visited.insert(spread.name).inserted, let fragment = fragments[spread.name] {
          collect(fragment.selectionSet, &page, &visited)
        }
      }
    }
  }
}

/// Work that the processors share.
package enum Concurrency {
  /// How many documents a thread takes at a time.
  package static let documentsPerPart = 64

  /// The results for parts of the elements, in their order.
  ///
  /// - Parameters:
  ///   - size: How many elements a part has; the last one may have fewer.
  ///   - body: Called for several parts at the same time.
  // Safe: each call fills a place of its own, and all have returned before the array exists.
  package static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], partsOf size: Int, _ body: @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    let count = (elements.count + size - 1) / size
    return unsafe Array(unsafeUninitializedCapacity: count) { results, initializedCount in
      nonisolated(unsafe) let results = unsafe results
      DispatchQueue.concurrentPerform(iterations: count) { number in
        let part = elements.dropFirst(number * size).prefix(size)
        unsafe results.initializeElement(at: number, to: body(part))
      }
      initializedCount = count
    }
  }
}
