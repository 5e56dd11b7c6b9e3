import GraphQLCodeGen
import GraphQLComparison
import GraphQLSchema

/// The form of a use of a generated member.
enum SwiftUse: Hashable {
  /// The name of a type, method, property or enum case.
  case word(String)
  /// An argument by its label, in a call of that name.
  case label(String, call: String)
}

/// Finds in Swift source the lines that use generated members.
struct UseFinder {
  private let uses: Set<SwiftUse>

  init(uses: Set<SwiftUse>) { self.uses = uses }

  /// The lines of each use that occurs, ascending and without repeats.
  func lines(in source: [UInt8]) -> [SwiftUse: [Int]] {
    let tokens = SwiftScanner.tokens(of: source)
    var found: [SwiftUse: [Int]] = [:]
    /// The names before the open brackets; nil for those that are not calls.
    var calls: [String?] = []
    for (position, token) in tokens.enumerated() {
      let previous = position > 0 ? tokens[position - 1].text : ""
      note(.word(token.text), at: token.line, in: &found)
      switch token.text {
      case "(": calls.append(previous)
      case "[", "{": calls.append(nil)
      case ")", "]", "}": _ = calls.popLast()
      default:
        let isLabel = position + 1 < tokens.count && tokens[position + 1].text == ":"
        guard isLabel, previous == "(" || previous == ",", let call = calls.last ?? nil else {
          break
        }
        note(.label(token.text, call: call), at: token.line, in: &found)
      }
    }
    return found
  }

  private func note(_ use: SwiftUse, at line: Int, in found: inout [SwiftUse: [Int]]) {
    guard uses.contains(use), found[use]?.last != line else { return }
    found[use, default: []].append(line)
  }
}

/// The Swift names that the elements of a schema have in the module generated for it.
struct GeneratedNames {
  private var types: [String: Set<String>] = [:]
  /// Methods, properties, cases and readers by `Type.member`.
  private var members: [String: Set<String>] = [:]
  /// Type conditions by their type and their target: `Node.Order`.
  private var conditions: [String: String] = [:]
  /// Calls and labels of arguments by `Type.field(argument:)` and `@directive(argument:)`.
  private var labels: [String: SwiftUse] = [:]

  init(_ plan: GenerationPlan) {
    for composite in plan.composites { add(composite) }
    for type in plan.enums {
      types[type.schemaName] = [type.name]
      for value in type.cases { add([value.name], as: "\(type.schemaName).\(value.schemaName)") }
    }
    for type in plan.inputs {
      types[type.schemaName] = [type.name]
      for field in type.fields {
        add(
          [field.property, field.argument.label],
          as: "\(type.schemaName).\(field.argument.schemaName)")
      }
    }
    for type in plan.oneOfs {
      types[type.schemaName] = [type.name]
      for field in type.cases { add([field.name], as: "\(type.schemaName).\(field.schemaName)") }
    }
    for directive in plan.directives {
      let name = "@\(directive.schemaName)"
      add([directive.function], as: name)
      for argument in directive.arguments {
        labels["\(name)(\(argument.schemaName):)"] = .label(
          argument.label, call: Self.bare(directive.function))
      }
    }
  }

  private mutating func add(_ composite: CompositePlan) {
    let type = composite.schemaName
    types[type, default: []].formUnion([
      composite.queryClass, composite.responseType, composite.responseClass,
    ])
    for condition in composite.conditions {
      conditions["\(type).\(condition.schemaName)"] = condition.method
      types[condition.schemaName, default: []].insert(condition.method)
    }
    for field in composite.fields {
      let coordinate = "\(type).\(field.schemaName)"
      add(
        [field.method, field.property] + [field.aliasedReader].compactMap(\.self), as: coordinate)
      for argument in field.arguments {
        labels["\(coordinate)(\(argument.schemaName):)"] = .label(
          argument.label, call: Self.bare(field.method))
      }
    }
  }

  private mutating func add(_ names: [String], as coordinate: String) {
    members[coordinate, default: []].formUnion(names.map(Self.bare))
  }

  /// The name without the backticks of a keyword.
  private static func bare(_ name: String) -> String {
    name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
  }
}

extension GeneratedNames {
  /// The uses in Swift, written for the older schema, of a change's element. An element that the
  /// older schema did not have, such as a new required argument, is used through its owner.
  func uses(of change: SchemaChange) -> Set<SwiftUse> {
    guard let coordinate = change.coordinate else {
      return words(change.subject.map { ["build\($0.prefix(1).uppercased())\($0.dropFirst())"] })
    }
    switch coordinate {
    case .type(let type):
      switch (change.kind, change.subject) {
      case (.unionMemberRemoved, let member?):
        return words(conditions["\(type).\(member)"].map { [$0] })
      case (.interfaceRemoved, let interface?):
        return words(conditions["\(interface).\(type)"].map { [$0] })
      default: return words(types[type])
      }
    case .member(let type, _): return words(members[coordinate.description] ?? types[type])
    case .directive: return words(members[coordinate.description])
    case .argument(let type, let field, _):
      return labels[coordinate.description].map { [$0] } ?? words(members["\(type).\(field)"])
    case .directiveArgument(let directive, _):
      return labels[coordinate.description].map { [$0] } ?? words(members["@\(directive)"])
    }
  }

  private func words(_ names: Set<String>?) -> Set<SwiftUse> {
    Set((names ?? []).map(SwiftUse.word))
  }
}
