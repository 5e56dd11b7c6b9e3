import GraphJSON
import GraphQLSchema

/// A directive of the client in an operation.
struct ClientDirectiveUse: Sendable, Equatable {
  let name: String
  /// The response names from the root to the object or field; empty for the operation.
  let path: [String]
  /// A JSON object, with the defaults of the arguments that are not written.
  let arguments: JSON
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
    add(operation.selectionSet, at: [])
    return uses
  }

  private mutating func add(_ set: Document.SelectionSet, at path: [String]) {
    for selection in set.selections {
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
          visited.insert(Visit(fragment: spread.name, path: path)).inserted
        else { continue }
        add(fragment.directives, at: path)
        add(fragment.selectionSet, at: path)
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
        guard let json = value.json else {
          reportVariable(directive, argument.name, value)
          return
        }
        arguments.append(JSON.Object.Member(key: argument.name, value: json))
      }
      uses.append(
        ClientDirectiveUse(
          name: directive.name, path: path, arguments: .object(JSON.Object(arguments))))
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

extension Document.Value {
  /// nil if a variable is in it. Enum values are strings.
  fileprivate var json: JSON? {
    switch kind {
    case .variable: nil
    case .int(let text), .float(let text): JSON.Number(text: text).map { .number($0) }
    case .string(let text), .enum(let text): .string(text)
    case .boolean(let value): .bool(value)
    case .null: .null
    case .list(let values): Self.all(values.map(\.json)).map { .array($0) }
    case .object(let fields):
      Self.all(
        fields.map { field in
          field.value.json.map { JSON.Object.Member(key: field.name, value: $0) }
        }
      ).map { .object(JSON.Object($0)) }
    }
  }

  private static func all<Element>(_ elements: [Element?]) -> [Element]? {
    let present = elements.compactMap(\.self)
    return present.count == elements.count ? present : nil
  }
}
