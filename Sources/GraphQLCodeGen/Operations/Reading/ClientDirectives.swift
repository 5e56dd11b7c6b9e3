#if !ONE_MODULE
  import GraphJSON
  package import GraphQLSchema
#endif

/// Directives that are not sent.
package struct ClientDirectives {
  private let names: Set<String>
  /// Whether fields keep them, since the generator gives one a meaning.
  private let recordsThem: Bool

  /// The directives of other libraries for their generators. No service knows them, so they are removed before the
  /// documents are validated. A directive that the schema defines is not one of them.
  ///
  /// ``CaughtErrors`` gives `@catch` its meaning. The others have none here.
  package static func foreign(_ schema: ServiceSchema) -> ClientDirectives {
    ClientDirectives(
      names: known.filter { schema.directive(named: $0) == nil }, recordsThem: true)
  }

  /// Those that the configuration names and the schema defines. They are removed after the validation.
  package static func configured(_ configuration: Configuration) -> ClientDirectives {
    ClientDirectives(
      names: Set(configuration.clientDirectives.map(\.value)).subtracting(builtIn),
      recordsThem: false)
  }

  /// Those of Apollo's libraries for Swift, Kotlin and the web.
  private static let known: Set<String> = [
    "apollo_client_ios_localCacheMutation", "import", "connection", "nonnull", "optional",
    "required", "catch", "throwOnFieldError", "ignoreErrors", "unmask",
  ]

  /// Those with a meaning for services (specification: 3.13 Directives, and the proposal for incremental delivery).
  static let builtIn: Set<String> = [
    "include", "skip", "deprecated", "specifiedBy", "oneOf", "defer", "stream",
  ]

  /// The document without the directives.
  package func removed(from document: Document) -> Document {
    guard document.mayHaveDirectives, document.definitions.contains(where: isAffected) else {
      return document
    }
    var document = document
    document.definitions = document.definitions.map { definition in
      switch definition {
      case .operation(var operation):
        operation.directives.removeAll(where: isRemoved)
        for index in operation.variables.indices {
          operation.variables[index].directives.removeAll(where: isRemoved)
        }
        operation.selectionSet = selectionSet(operation.selectionSet)
        return .operation(operation)
      case .fragment(var fragment):
        fragment.directives.removeAll(where: isRemoved)
        fragment.selectionSet = selectionSet(fragment.selectionSet)
        return .fragment(fragment)
      default: return definition
      }
    }
    return document
  }

  var isEmpty: Bool { names.isEmpty }

  func isRemoved(_ directive: Document.Directive) -> Bool { names.contains(directive.name) }

  func isAffected(_ definition: Document.Definition) -> Bool {
    switch definition {
    case .operation(let operation):
      operation.directives.contains(where: isRemoved)
        || operation.variables.contains { $0.directives.contains(where: isRemoved) }
        || isAffected(operation.selectionSet)
    case .fragment(let fragment):
      fragment.directives.contains(where: isRemoved) || isAffected(fragment.selectionSet)
    default: false
    }
  }

  private func isAffected(_ set: Document.SelectionSet) -> Bool {
    set.selections.contains { selection in
      if selection.directives.contains(where: isRemoved) { return true }
      return switch selection {
      case .field(let field): field.selectionSet.map(isAffected) ?? false
      case .inlineFragment(let fragment): isAffected(fragment.selectionSet)
      case .fragmentSpread: false
      }
    }
  }

  private func selectionSet(_ set: Document.SelectionSet) -> Document.SelectionSet {
    Document.SelectionSet(set.selections.map(selection), range: set.range)
  }

  private func selection(_ selection: Document.Selection) -> Document.Selection {
    switch selection {
    case .field(var field):
      if recordsThem { field.clientDirectives = field.directives.filter(isRemoved) }
      field.directives.removeAll(where: isRemoved)
      field.selectionSet = field.selectionSet.map(selectionSet)
      return .field(field)
    case .fragmentSpread(var spread):
      spread.directives.removeAll(where: isRemoved)
      return .fragmentSpread(spread)
    case .inlineFragment(var fragment):
      fragment.directives.removeAll(where: isRemoved)
      fragment.selectionSet = selectionSet(fragment.selectionSet)
      return .inlineFragment(fragment)
    }
  }
}

extension Document {
  /// Whether its text contains the sign that begins a directive. Most documents have no directives, and to
  /// search the text takes less time than to visit the selections.
  var mayHaveDirectives: Bool {
    source.map { $0.bytes.contains(UInt8(ascii: "@")) } ?? true
  }
}

/// A directive of the client in an operation.
struct ClientDirectiveUse: Sendable {
  let name: String
  /// The response names from the root to the object or field; empty for the operation, and `$name` for a variable.
  let path: [String]
  /// A JSON object, with the defaults of the arguments that are not written.
  let arguments: [UInt8]
}

/// Finds the directives of the client in operations, and in the fragments that they use.
final class ClientDirectiveFinder {
  private let directives: ClientDirectives
  private let program: ProgramDocuments
  private let schema: ServiceSchema
  /// The fragments with such a directive, or with a fragment that has one.
  private let affected: Set<String>
  private(set) var report = Report()
  /// The positions in the sources; a fragment is found once for each operation.
  private var reported: Set<[UInt32]> = []
  private var uses: [ClientDirectiveUse] = []
  private var visited: Set<Visit> = []
  /// The fragments around the current selection. A cycle is reported by the validation.
  private var open: Set<String> = []

  /// Fragments that use each other twice have paths whose number doubles with each.
  static let maximumCount = 1000

  /// A fragment is followed once at each place.
  private struct Visit: Hashable {
    let fragment: String
    let path: [String]
  }

  init(_ directives: ClientDirectives, in program: ProgramDocuments, _ schema: ServiceSchema) {
    self.directives = directives
    self.program = program
    self.schema = schema
    var affected = Set(
      program.fragments.filter { directives.isAffected(.fragment($0.value)) }.map(\.key))
    var count = -1
    while affected.count != count {
      count = affected.count
      for (name, fragment) in program.fragments
      where fragment.selectionSet.spreads.contains(where: { affected.contains($0.name) }) {
        affected.insert(name)
      }
    }
    self.affected = affected
  }

  /// The directives in the order of the document.
  func uses(in operation: OperationDefinition) -> [ClientDirectiveUse] {
    uses = []
    visited = []
    add(operation.directives, at: [])
    for variable in operation.variables { add(variable.directives, at: ["$\(variable.name)"]) }
    add(operation.selectionSet, at: [])
    if uses.count > Self.maximumCount {
      report.error(
        "TooManyClientDirectives",
        "The operation uses more than \(Self.maximumCount) directives that are not sent.",
        at: program.position(of: operation.nameRange),
        suggestion: "A fragment counts once for each path on which it is used.")
    }
    return uses
  }

  private func add(_ set: Document.SelectionSet, at path: [String]) {
    for selection in set.selections where uses.count <= Self.maximumCount {
      switch selection {
      case .field(let field):
        let path = path + [field.responseName]
        add(field.directives, at: path)
        if let inner = field.selectionSet { add(inner, at: path) }
      case .inlineFragment(let fragment):
        add(fragment.directives, at: path)
        add(fragment.selectionSet, at: path)
      case .fragmentSpread(let spread):
        add(spread.directives, at: path)
        guard affected.contains(spread.name), let fragment = program.fragments[spread.name],
          visited.insert(Visit(fragment: spread.name, path: path)).inserted,
          open.insert(spread.name).inserted
        else { continue }
        add(fragment.directives, at: path)
        add(fragment.selectionSet, at: path)
        open.remove(spread.name)
      }
    }
  }

  private func add(_ applied: [Document.Directive], at path: [String]) {
    for directive in applied where directives.isRemoved(directive) {
      guard let definition = schema.directive(named: directive.name) else { continue }
      var arguments = JSONWriter()
      arguments.beginObject()
      for argument in definition.arguments.elements {
        guard let value = directive.argument(argument.name) ?? argument.defaultValue else {
          continue
        }
        arguments.key(argument.name)
        guard schema.write(value, of: argument.type, to: &arguments) else {
          reportVariable(directive, argument.name, value)
          return
        }
      }
      arguments.endObject()
      uses.append(
        ClientDirectiveUse(name: directive.name, path: path, arguments: arguments.finish()))
    }
  }

  private func reportVariable(
    _ directive: Document.Directive, _ argument: String, _ value: Document.Value
  ) {
    guard reported.insert([value.range.source, value.range.start]).inserted else { return }
    report.error(
      "ClientDirectiveVariable",
      "The argument \(quoted(argument)) of \"@\(directive.name)\" has a variable, but the directive is not sent.",
      at: program.position(of: value.range), suggestion: "Write a constant value.")
  }
}

extension ServiceSchema {
  /// Writes a constant as JSON, coerced to its type (specification: 3.11 List, 3.10 Input Objects). Enum values are
  /// strings. The value is valid for the type.
  ///
  /// - Returns: False if a variable is in it; the text is incomplete then.
  fileprivate func write(
    _ value: Document.Value, of type: TypeReference, to json: inout JSONWriter
  ) -> Bool {
    switch (value.kind, type.nullable) {
    case (.variable, _): return false
    case (.null, _): json.null()
    case (.list(let values), .list(let item)): return write(values, of: item, to: &json)
    case (_, .list(let item)): return write([value], of: item, to: &json)
    // The items of a scalar that takes any value.
    case (.list(let values), _): return write(values, of: type, to: &json)
    case (.object(let fields), _):
      return write(fields, of: self.type(named: type.namedType), to: &json)
    case (.int(let text), .named("ID")): json.string(text)
    // A number in a document is one in JSON, too.
    case (.int(let text), _), (.float(let text), _): json.fragment(text.utf8)
    case (.string(let text), _), (.enum(let text), _): json.string(text)
    case (.boolean(let value), _): json.bool(value)
    }
    return true
  }

  private func write(
    _ values: [Document.Value], of item: TypeReference, to json: inout JSONWriter
  ) -> Bool {
    json.beginArray()
    for value in values {
      guard write(value, of: item, to: &json) else { return false }
    }
    json.endArray()
    return true
  }

  /// Writes an input object with its defaults, or the object of a scalar that takes any value.
  private func write(
    _ fields: [Document.ObjectField], of type: NamedType?, to json: inout JSONWriter
  ) -> Bool {
    json.beginObject()
    if case .inputObject(let type)? = type {
      for field in type.fields.elements {
        let written = fields.first { $0.name == field.name }?.value
        guard let value = written ?? field.defaultValue else { continue }
        json.key(field.name)
        guard write(value, of: field.type, to: &json) else { return false }
      }
    } else {
      // The default of an argument may have a field twice.
      var values = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      for field in fields {
        guard let value = values.removeValue(forKey: field.name) else { continue }
        json.key(field.name)
        guard write(value, of: .named(type?.name ?? ""), to: &json) else { return false }
      }
    }
    json.endObject()
    return true
  }
}

/// `@catch` on a field: reading the property throws the error because of which the field is null.
///
/// `@catch(to: NULL)` is the same as no directive. The other values, `RESULT` and `THROW`, are those of Apollo's
/// library for Kotlin, and have the same meaning here.
enum CaughtErrors {
  static func isCaught(_ field: Document.Field) -> Bool {
    guard let directive = field.clientDirectives["catch"] else { return false }
    if case .enum("NULL")? = directive.argument("to")?.kind { return false }
    return true
  }

  /// Reports each `@catch` on a field that is never null.
  static func check(_ program: inout ProgramDocuments, _ schema: ServiceSchema) {
    var report = Report()
    for definition in program.documents.lazy.filter(\.mayHaveDirectives).flatMap(\.definitions)
    where !program.isFaulty(definition.range) {
      switch definition {
      case .operation(let operation):
        guard let root = schema.rootType(for: operation.operationType) else { continue }
        check(operation.selectionSet, on: .object(root), program, schema, &report)
      case .fragment(let fragment):
        guard let type = schema.type(named: fragment.typeCondition.name) else { continue }
        check(fragment.selectionSet, on: type, program, schema, &report)
      default: continue
      }
    }
    program.add(report)
  }

  /// Warns about each `@catch` that is not on a field, where it has no meaning.
  ///
  /// - Parameter documents: with all of their directives.
  static func misplaced(
    in documents: [Document], _ sources: [Source], _ schema: ServiceSchema
  ) -> Report {
    var report = Report()
    if schema.directive(named: "catch") != nil { return report }
    for definition in documents.lazy.filter(\.mayHaveDirectives).flatMap(\.definitions) {
      var directives: [Document.Directive] = []
      switch definition {
      case .operation(let operation):
        directives = operation.directives + operation.variables.flatMap(\.directives)
      case .fragment(let fragment): directives = fragment.directives
      default: break
      }
      if let set = definition.selectionSet { directives += set.directivesOfFragments }
      for directive in directives where directive.name == "catch" {
        report.warning(
          "MisplacedCatch", "\"@catch\" has a meaning only on fields.",
          at: sources.position(of: directive.range), suggestion: "Write it on a field.")
      }
    }
    return report
  }

  private static func check(
    _ set: Document.SelectionSet, on type: NamedType, _ program: ProgramDocuments,
    _ schema: ServiceSchema, _ report: inout Report
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let definition = schema.selectableField(named: field.name, on: type) else { continue }
        if isCaught(field), definition.type.isNonNull {
          report.error(
            "CatchOnNonNull",
            "\(quoted(field.name)) is never null: an error in it makes the object around it null.",
            at: program.position(of: field.nameRange),
            suggestion: "Write @catch on the nearest field around it that may be null.")
        }
        if let inner = field.selectionSet, let type = schema.namedType(of: definition.type) {
          check(inner, on: type, program, schema, &report)
        }
      case .inlineFragment(let fragment):
        let condition = fragment.typeCondition.flatMap { schema.type(named: $0.name) }
        check(fragment.selectionSet, on: condition ?? type, program, schema, &report)
      case .fragmentSpread: continue
      }
    }
  }
}

extension Document.SelectionSet {
  /// The directives of all fragments in the set.
  fileprivate var directivesOfFragments: [Document.Directive] {
    selections.flatMap { selection in
      switch selection {
      case .field(let field): field.selectionSet?.directivesOfFragments ?? []
      case .inlineFragment(let fragment):
        fragment.directives + fragment.selectionSet.directivesOfFragments
      case .fragmentSpread(let spread): spread.directives
      }
    }
  }
}
