import GraphJSON
import GraphQLSchema

/// A directive of the client in an operation.
struct ClientDirectiveUse: Sendable, Equatable {
  let name: String
  /// The response names from the root to the object or field; empty for the operation, and `$name` for a variable.
  let path: [String]
  /// With the defaults of the arguments that are not written.
  let arguments: JSON.Object
}

/// Finds the directives of the client in operations, and in the fragments that they use.
struct ClientDirectiveFinder {
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
  mutating func uses(in operation: OperationDefinition) -> [ClientDirectiveUse] {
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

  private mutating func add(_ set: Document.SelectionSet, at path: [String]) {
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

  private mutating func add(_ applied: [Document.Directive], at path: [String]) {
    for directive in applied where directives.isRemoved(directive) {
      guard let definition = schema.directive(named: directive.name) else { continue }
      var arguments: [JSON.Object.Member] = []
      for argument in definition.arguments.elements {
        guard let value = directive.argument(argument.name) ?? argument.defaultValue else {
          continue
        }
        guard let json = schema.constant(value, of: argument.type) else {
          reportVariable(directive, argument.name, value)
          return
        }
        arguments.append(JSON.Object.Member(key: argument.name, value: json))
      }
      uses.append(
        ClientDirectiveUse(
          name: directive.name, path: path, arguments: JSON.Object(arguments)))
    }
  }

  private mutating func reportVariable(
    _ directive: Document.Directive, _ argument: String, _ value: Document.Value
  ) {
    guard reported.insert([value.range.source, value.range.start]).inserted else { return }
    report.error(
      "ClientDirectiveVariable",
      "The argument \(quoted(argument)) of \"@\(directive.name)\" has a variable, but the directive is not sent.",
      at: program.position(of: value.range), suggestion: "Write a constant value.")
  }
}
