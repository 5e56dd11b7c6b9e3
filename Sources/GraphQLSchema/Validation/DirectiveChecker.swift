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
