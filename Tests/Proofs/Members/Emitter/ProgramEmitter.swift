import GraphQLCodeGen
import GraphQLSchema

/// Emits the program. For each type, it has a function that selects every field in each variant, a
/// function that reads every field, and a case that leads to an object of the type.
struct ProgramEmitter {
  private let plan: GenerationPlan
  private let schema: ServiceSchema
  private let module: String
  private let samples: SampleValues
  private let paths: [String: Path]

  init(input: EmitterInput, module: String) {
    plan = input.plan
    schema = input.schema
    self.module = module
    samples = SampleValues(plan)
    paths = PathFinder(plan).paths
  }

  func program() -> String {
    let reachable = plan.composites.filter { paths[$0.queryClass] != nil }
    let unreachable = plan.composites.filter { paths[$0.queryClass] == nil }
    let fields = reachable.flatMap { type in
      type.fields.map { "\(type.schemaName).\($0.schemaName)" }
    }
    var text = """
      // Emitted by emit-member-calls.
      import GraphQLRuntime
      import \(module)

      struct EmittedCalls: MemberCalls {
        let unreachable: [String] = [\(unreachable.map { "\"\($0.schemaName)\"" }.joined(separator: ", "))]

        let fields: [String] = [
      \(fields.map { "    \"\($0)\"," }.joined(separator: "\n"))
        ]

        @available(*, deprecated)
        func run(_ x: Recorder) {
      \((reachable + unreachable).map { "    case_\($0.queryClass)(x)" }.joined(separator: "\n"))
        }
      }


      """
    for composite in unreachable { text += fragments(composite) }
    for composite in reachable {
      text += type(composite, at: paths[composite.queryClass]!)
    }
    return text
  }

  private func type(_ composite: CompositePlan, at path: Path) -> String {
    guard !isSubscription(composite) else {
      // A subscription selects one root field (section 5.2.4.1), so each has cases of its own.
      return composite.fields.map { field in
        var single = composite
        single.fields = [field]
        return cases(single, suffix: "_" + field.schemaName, at: path)
      }.joined() + runner(composite, composite.fields.map { "_" + $0.schemaName })
    }
    return cases(composite, suffix: "", at: path) + runner(composite, [""])
  }

  /// Fields can still be selected on a type that no operation leads to, in a fragment.
  private func fragments(_ composite: CompositePlan) -> String {
    let variants = Variant.allCases.filter { !statements(composite, $0).isEmpty }
    let calls = variants.map { variant in
      """
        x.addFragment("\(composite.schemaName)", variant: "\(variant)", \(qualified(composite.queryClass))()) { q in
          select_\(composite.queryClass)_\(variant)(q)
        }
      """
    }
    return variants.map { select(composite, $0, "") }.joined() + """
      @available(*, deprecated)
      private func case_\(composite.queryClass)(_ x: Recorder) {
      \(calls.joined(separator: "\n"))
      }


      """
  }

  private func isSubscription(_ composite: CompositePlan) -> Bool {
    plan.roots.contains { $0.operation == .subscription && $0.queryClass == composite.queryClass }
  }

  private func runner(_ composite: CompositePlan, _ suffixes: [String]) -> String {
    """
    @available(*, deprecated)
    private func case_\(composite.queryClass)(_ x: Recorder) {
    \(suffixes.map { "  cases_\(composite.queryClass)\($0)(x)" }.joined(separator: "\n"))
    }


    """
  }

  private func cases(_ composite: CompositePlan, suffix: String, at path: Path) -> String {
    let variants = Variant.allCases.filter { !statements(composite, $0).isEmpty }
    return variants.map { select(composite, $0, suffix) + read(composite, $0, suffix) }.joined()
      + cases(composite, variants, suffix, at: path)
  }

  // MARK: Selecting

  private func select(_ composite: CompositePlan, _ variant: Variant, _ suffix: String) -> String {
    """
    @available(*, deprecated)
    private func select_\(composite.queryClass)_\(variant)\(suffix)(_ q: \(qualified(composite.queryClass))) {
    \(statements(composite, variant).map { "  " + $0 }.joined(separator: "\n"))
    }


    """
  }

  private func statements(_ composite: CompositePlan, _ variant: Variant) -> [String] {
    var statements: [String] = []
    switch variant {
    case .full:
      statements = composite.fields.map { call($0, onlyRequired: false) }
      statements += composite.conditions.map { "q.\($0.method) { $0.__typename() }" }
      if composite.fields.isEmpty { statements.append("q.__typename()") }
    case .alias:
      statements = composite.fields.map {
        call($0, alias: Variant.alias.suffix, onlyRequired: true)
      }
    case .null:
      for field in composite.fields {
        let nullable = nullableArguments(of: field, in: composite)
        guard !nullable.isEmpty else { continue }
        let names = nullable.map { "\"\($0)\"" }.joined(separator: ", ")
        statements.append(
          "q.null(\(names))." + call(field, onlyRequired: true, receiver: ""))
      }
    }
    return statements
  }

  private func call(
    _ field: FieldPlan, alias: String? = nil, onlyRequired: Bool, receiver: String = "q."
  ) -> String {
    var arguments = samples.arguments(field.arguments, onlyRequired: onlyRequired)
    if let alias { arguments.insert("alias: \"\(alias)\"", at: 0) }
    let child = field.subfields == nil ? "" : " { $0.__typename() }"
    let list = arguments.isEmpty && !child.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    return "\(receiver)\(field.method)\(list)\(child)"
  }

  /// Arguments that may be sent as null: the plan does not distinguish them from those with a
  /// default.
  private func nullableArguments(of field: FieldPlan, in composite: CompositePlan) -> [String] {
    let type = schema.type(named: composite.schemaName)
    guard let definition = type?.fields?[field.schemaName] else { return [] }
    return field.arguments.map(\.schemaName).filter { name in
      guard let argument = definition.arguments[name] else { return false }
      return !argument.type.isNonNull
    }
  }

  // MARK: Reading

  private func read(_ composite: CompositePlan, _ variant: Variant, _ suffix: String) -> String {
    let lines = composite.fields.flatMap { field -> [String] in
      let label = "\"\(composite.schemaName).\(field.schemaName)\""
      switch variant {
      case .full:
        let plain = "x.equal(\(label), o.\(field.property), j[\"\(field.schemaName)\"])"
        let raw = "x.raw(\(label), o.field(\"\(field.schemaName)\"), j[\"\(field.schemaName)\"])"
        let has = "x.holds(\(label), o.has(\\.\(field.property)))"
        return composite.isAbstract ? [plain, raw] : [plain, raw, has]
      case .alias:
        let key = "j[\"\(field.schemaName)__\(Variant.alias.suffix)\"]"
        var reads: [String] = []
        if let reader = field.aliasedReader {
          reads.append("x.equal(\(label), o.\(reader)(alias: \"\(Variant.alias.suffix)\"), \(key))")
        }
        if !composite.isAbstract {
          reads.append(
            "x.equal(\(label), o.value(\\.\(field.property), alias: \"\(Variant.alias.suffix)\"), \(key))"
          )
        }
        return reads
      case .null:
        return []
      }
    }
    return """
      @available(*, deprecated)
      private func read_\(composite.queryClass)_\(variant)\(suffix)(_ o: \(response(composite)), _ j: [String: Any], _ x: Recorder) {
        x.equal("\(composite.schemaName).__typename", o.__typename, j["__typename"] ?? "\(composite.schemaName)")
      \(lines.map { "  " + $0 }.joined(separator: "\n"))
      }


      """
  }

  // MARK: Cases

  private func cases(
    _ composite: CompositePlan, _ variants: [Variant], _ suffix: String, at path: Path
  ) -> String {
    let build = "\(plan.namespace).build\(path.root.operation.rawValue.capitalizedFirst)"
    let calls = variants.map { variant in
      """
        for attempt in Recorder.attempts(\(attempts(for: path))) {
          x.add("\(composite.schemaName).\(variant)\(suffix).\\(attempt)", \(build)(named: "\(composite.queryClass)_\(variant)\(suffix)") { q in
      \(descend(path.steps[...], "\(composite.queryClass)_\(variant)\(suffix)", isRoot: path.steps.isEmpty, indent: 3))
          }) { o, j in
      \(ascend(path.steps[...], "\(composite.queryClass)_\(variant)\(suffix)", indent: 3))
          }
        }
      """
    }
    return """
      @available(*, deprecated)
      private func cases_\(composite.queryClass)\(suffix)(_ x: Recorder) {
      \(calls.joined(separator: "\n"))
      }


      """
  }

  /// The number of times that the path ends early: at a null, or at an object of another type.
  private func attempts(for path: Path) -> Int {
    path.steps.isEmpty ? 1 : path.hasCondition ? 40 : 6
  }

  /// The builder calls that lead to the type. The first field has an alias for each attempt, since
  /// graphql-core's values depend on the response path.
  private func descend(
    _ steps: ArraySlice<Step>, _ function: String, isRoot: Bool, indent: Int, isFirst: Bool = true
  ) -> String {
    let space = String(repeating: "  ", count: indent)
    guard let step = steps.first else {
      let select = "\(space)select_\(function)(q)"
      return isRoot ? select : "\(space)q.__typename()\n\(select)"
    }
    let inner = descend(
      steps.dropFirst(), function, isRoot: isRoot, indent: indent + 1, isFirst: false)
    switch step {
    case .condition(let condition):
      return "\(space)q.\(condition.method) { q in\n\(inner)\n\(space)}"
    case .field(let field):
      var arguments = samples.arguments(field.arguments, onlyRequired: true)
      if isFirst { arguments.insert("alias: attempt", at: 0) }
      return
        "\(space)q.\(field.method)(\(arguments.joined(separator: ", "))) { q in\n\(inner)\n\(space)}"
    }
  }

  /// The reads that lead to the type, together with the JSON.
  private func ascend(
    _ steps: ArraySlice<Step>, _ function: String, indent: Int, isFirst: Bool = true
  ) -> String {
    let space = String(repeating: "  ", count: indent)
    guard let step = steps.first else { return "\(space)read_\(function)(o, j, x)" }
    let inner = ascend(steps.dropFirst(), function, indent: indent + 1, isFirst: false)
    switch step {
    case .condition(let condition):
      let type = response(plan.composites.first { $0.queryClass == condition.queryClass }!)
      return "\(space)for (o, j) in x.matching(o, j, (\(type)).self) {\n\(inner)\n\(space)}"
    case .field(let field):
      let type = response(plan.composites.first { $0.queryClass == field.subfields }!)
      let key = isFirst ? "\"\(field.schemaName)__\\(attempt)\"" : "\"\(field.schemaName)\""
      let value =
        !isFirst
        ? "o.\(field.property)"
        : field.aliasedReader.map { "o.\($0)(alias: attempt)" }
          ?? "o.value(\\.\(field.property), alias: attempt)"
      return
        "\(space)for (o, j) in x.pairs(\(value), j[\(key)], (\(type)).self) {\n\(inner)\n\(space)}"
    }
  }

  private func qualified(_ name: String) -> String { "\(plan.namespace).\(name)" }

  private func response(_ composite: CompositePlan) -> String {
    (composite.isAbstract ? "any " : "") + qualified(composite.responseType)
  }
}

/// How the fields of a type are selected.
enum Variant: String, CaseIterable {
  /// All arguments are set.
  case full
  /// Only required arguments are set, and the field has an alias.
  case alias
  /// Every argument that may be null is null.
  case null

  var suffix: String { "x1" }
}

extension Variant: CustomStringConvertible {
  var description: String { rawValue }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
