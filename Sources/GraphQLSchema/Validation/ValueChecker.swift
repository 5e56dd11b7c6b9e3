/// Checks that a value can be coerced to a type (section 5.6 and the input coercion rules of
/// chapter 3). Variables count as valid. Nested values are queued in a list, so that a deep value
/// needs no stack.
struct ValueChecker {
  struct Problem {
    /// A sentence that ends with a full stop, for use after a colon.
    let message: String
    let range: SourceRange
    let suggestion: () -> String?
  }

  let schema: ServiceSchema
  private(set) var problems: [Problem] = []
  private var pending: [(value: Document.Value, type: TypeReference)] = []

  init(schema: ServiceSchema) { self.schema = schema }

  mutating func check(_ value: Document.Value, as type: TypeReference) {
    pending = [(value, type)]
    while let (value, type) = pending.popLast() {
      switch (type, value.kind) {
      case (_, .variable): break
      case (.nonNull, .null): report(value, "null is not a value of \(quoted(type.description)).")
      case (_, .null): break
      case (.nonNull(let inner), _): pending.append((value, inner))
      case (.list(let itemType), .list(let items)):
        for item in items { pending.append((item, itemType)) }
      // A single value is accepted as a list of one (section 3.11, Input Coercion).
      case (.list(let itemType), _): pending.append((value, itemType))
      case (.named(let name), _): checkNamed(value, name)
      }
    }
  }

  private mutating func checkNamed(_ value: Document.Value, _ name: String) {
    switch schema.type(named: name) {
    case .scalar: checkScalar(value, name)
    case .enum(let type): checkEnum(value, type)
    case .inputObject(let type): checkInputObject(value, type)
    // Not an input type, or undefined, which other rules report.
    case .object, .interface, .union, nil: return
    }
  }

  /// Sections 3.5.1 to 3.5.5; a custom scalar accepts any value.
  private mutating func checkScalar(_ value: Document.Value, _ name: String) {
    let fits: Bool
    switch (name, value.kind) {
    case ("Int", .int(let digits)):
      guard Int32(digits) != nil else {
        report(value, "\(quoted(digits)) does not fit into 32 bits.")
        return
      }
      return
    case ("Float", .int(let text)), ("Float", .float(let text)):
      fits = Double(text)?.isFinite == true
    case ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int): return
    case ("Int", _), ("Float", _), ("String", _), ("Boolean", _), ("ID", _): fits = false
    default: return
    }
    if !fits { reportMismatch(value, name) }
  }

  /// Section 3.9, Input Coercion.
  private mutating func checkEnum(_ value: Document.Value, _ type: EnumType) {
    switch value.kind {
    case .enum(let name):
      if type.values.contains(name: name) { return }
      report(
        value, "\(quoted(name)) is not a value of \(quoted(type.name)).",
        didYouMean(name, among: type.values.lazy.map(\.name)))
    case .string(let text) where type.values.contains(name: text):
      reportMismatch(value, type.name, "Enum values are written without quotes: \(escaped(text)).")
    default: reportMismatch(value, type.name)
    }
  }

  /// Section 3.10, Input Coercion.
  private mutating func checkInputObject(_ value: Document.Value, _ type: InputObjectType) {
    guard case .object(let given) = value.kind else { return reportMismatch(value, type.name) }
    var names: Set<String> = []
    for entry in given {
      if !names.insert(entry.name).inserted {
        problems.append(
          Problem(
            message: "The input field \(quoted(entry.name)) is given more than once.",
            range: entry.nameRange, suggestion: { nil }))
      }
      guard let field = type.fields[entry.name] else {
        problems.append(
          Problem(
            message: "\(quoted(type.name)) has no input field \(quoted(entry.name)).",
            range: entry.nameRange,
            suggestion: { didYouMean(entry.name, among: type.fields.lazy.map(\.name)) }))
        continue
      }
      pending.append((entry.value, field.type))
    }
    for field in type.fields.elements where field.isRequired && !names.contains(field.name) {
      report(
        value,
        "The input field \(quoted("\(type.name).\(field.name)")) of type "
          + "\(quoted(field.type.description)) is missing.")
    }
    if type.isOneOf, given.count != 1 || given[0].value.isNull {
      report(
        value,
        "Exactly one input field of \(quoted(type.name)) must be given, and it must not be null.")
    }
  }

  private mutating func reportMismatch(
    _ value: Document.Value, _ typeName: String,
    _ suggestion: @escaping @autoclosure () -> String? = nil
  ) {
    report(value, "\(value.kind.phrase) is not a value of \(quoted(typeName)).", suggestion())
  }

  private mutating func report(
    _ value: Document.Value, _ message: String,
    _ suggestion: @escaping @autoclosure () -> String? = nil
  ) {
    problems.append(Problem(message: message, range: value.range, suggestion: suggestion))
  }
}

extension Document.Value.Kind {
  /// The value as messages show it, shortened.
  fileprivate var phrase: String {
    switch self {
    case .variable(let name): "The variable \(quoted("$" + name))"
    case .int(let text), .float(let text): "The number \(quoted(text))"
    case .string(let text): "The string \(quoted(text))"
    case .boolean(let value): "\(value)"
    case .null: "null"
    case .enum(let name): "The enum value \(quoted(name))"
    case .list: "A list"
    case .object: "An input object"
    }
  }
}

/// The rules about applied directives, which are the same for type-system and executable documents
/// (sections 3.13, 5.4, 5.7), one function each.
struct DirectiveChecker {
  let schema: ServiceSchema
  var diagnostics: DiagnosticCollector

  /// Checks the directives that are applied to one node.
  mutating func check(_ directives: [Document.Directive], at location: DirectiveLocation) {
    uniquePerLocation(directives)
    for directive in directives {
      guard let definition = schema.directive(named: directive.name) else {
        reportUnknown(directive)
        continue
      }
      legalLocation(directive, definition, location)
      let name = "@" + directive.name
      uniqueArguments(directive.arguments, of: name)
      knownArguments(directive.arguments, definition.arguments, of: name)
      requiredArguments(directive.arguments, definition.arguments, of: name, at: directive.range)
      argumentValues(directive.arguments, definition.arguments, of: name)
    }
  }

  /// A directive is defined (section 5.7.1).
  private mutating func reportUnknown(_ directive: Document.Directive) {
    let schema = schema
    func candidates() -> [String] {
      (schema.directives.elements + BuiltIn.directives.elements).map { "@" + $0.name }
    }
    diagnostics.add(
      "KnownDirectives", "Unknown directive \(quoted("@" + directive.name)).",
      at: directive.nameRange,
      suggestion: Self.definitionOfDraft(directive.name)
        ?? didYouMean("@" + directive.name, among: candidates()))
  }

  /// Many services support the draft about incremental delivery, and do not list its directives.
  private static func definitionOfDraft(_ name: String) -> String? {
    let definition: String
    switch name {
    case "defer":
      definition = "(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT"
    case "stream":
      definition = "(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD"
    default: return nil
    }
    return "If the service supports it, add this to the schema: directive @\(name)\(definition)"
  }

  /// A directive is applied at an allowed location (section 5.7.2).
  private mutating func legalLocation(
    _ directive: Document.Directive, _ definition: DirectiveDefinition,
    _ location: DirectiveLocation
  ) {
    if definition.locations.contains(location) { return }
    let allowed = definition.locations.map(\.rawValue).joined(separator: ", ")
    diagnostics.add(
      "DirectiveLocations",
      "\(quoted("@" + directive.name)) cannot be applied to \(location.rawValue).",
      at: directive.nameRange, suggestion: "It can be applied to \(allowed).")
  }

  /// A directive that is not repeatable is applied once (section 5.7.3).
  private mutating func uniquePerLocation(_ directives: [Document.Directive]) {
    guard directives.count > 1 else { return }
    var firsts: [String: SourceRange] = [:]
    for directive in directives where schema.directive(named: directive.name)?.isRepeatable == false
    {
      guard let first = firsts[directive.name] else {
        firsts[directive.name] = directive.range
        continue
      }
      diagnostics.add(
        "UniqueDirectives",
        "\(quoted("@" + directive.name)) can be applied only once here.", at: directive.nameRange,
        notes: [("It is first applied here.", first)])
    }
  }

  /// An argument is given once (section 5.4.2).
  mutating func uniqueArguments(
    _ arguments: [Document.Argument], of owner: @autoclosure () -> String
  ) {
    guard arguments.count > 1 else { return }
    var firsts: [String: SourceRange] = [:]
    for argument in arguments {
      guard let first = firsts[argument.name] else {
        firsts[argument.name] = argument.nameRange
        continue
      }
      diagnostics.add(
        "UniqueArguments",
        "The argument \(quoted(argument.name)) of \(quoted(owner())) is given more than once.",
        at: argument.nameRange, notes: [("It is first given here.", first)])
    }
  }

  /// An argument is defined (section 5.4.1).
  mutating func knownArguments(
    _ arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>,
    of owner: @autoclosure () -> String
  ) {
    for argument in arguments where !definitions.contains(name: argument.name) {
      diagnostics.add(
        "KnownArguments", "\(quoted(owner())) has no argument \(quoted(argument.name)).",
        at: argument.nameRange,
        suggestion: didYouMean(argument.name, among: definitions.lazy.map(\.name)))
    }
  }

  /// Required arguments are given (section 5.4.3).
  mutating func requiredArguments(
    _ arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>,
    of owner: @autoclosure () -> String,
    at range: SourceRange
  ) {
    let given = NamedList(arguments)
    // Safe: `part` gives a pointer to an element that exists during the call.
    for index in definitions.elements.indices
    where unsafe definitions.part(at: index, { unsafe $0.pointee.isRequired }) {
      let definition = definitions.elements[index]
      if given.contains(name: definition.name) { continue }
      diagnostics.add(
        "RequiredArguments",
        "\(quoted(owner())) needs its argument \(quoted(definition.name)) of type "
          + "\(quoted(definition.type.description)).",
        at: range)
    }
  }

  /// An argument's value has its type (section 5.6.1).
  mutating func argumentValues(
    _ arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>,
    of owner: @autoclosure () -> String
  ) {
    for argument in arguments {
      guard let index = definitions.position(of: argument.name) else { continue }
      if case .variable = argument.value.kind { continue }
      var checker = ValueChecker(schema: schema)
      checker.check(argument.value, as: definitions.elements[index].type)
      for problem in checker.problems {
        diagnostics.add(
          "ArgumentValues",
          "The argument \(quoted(argument.name)) of \(quoted(owner())) is invalid: "
            + problem.message,
          at: problem.range, suggestion: problem.suggestion())
      }
    }
  }
}
