import GraphJSON
import GraphQLRuntime

/// The places of an argument in a mutation's variables: the object's expected version, or any argument of a rejected
/// mutation.
struct MutationArgument {
  private let name: String
  /// The variables that are the argument.
  private let variables: [String]
  /// The variables in whose values fields with its name count.
  private let containers: [String]

  /// - Parameters:
  ///   - document: the mutation's text.
  ///   - entity: the key of the object that the mutation writes. If several root fields have the argument, the one
  ///     whose arguments have the key counts, or else the first.
  init(_ name: String, in document: String, _ values: JSON, of entity: String) {
    self.name = name
    let fields = GraphQL.StoredDocument(document)?.places(ofArgument: name) ?? []
    func isPlace(_ field: GraphQL.StoredDocument.ArgumentPlaces) -> Bool {
      !field.variables.isEmpty
        || field.containers.contains { Self.has(name, in: values[$0] ?? .null) }
    }
    let candidates = fields.filter(isPlace)
    let field = candidates.first { $0.mentions(entity, in: values) } ?? candidates.first
    variables = field?.variables ?? []
    containers = field?.containers ?? []
  }

  /// The variable of a top-level argument; nil if there is none.
  var variable: String? { variables.first }

  /// The argument's value; nil if there is none.
  func value(in values: JSON) -> JSON? {
    var found: JSON?
    _ = replacing(in: values) { value in
      found = found ?? value
      return value
    }
    return found
  }

  func replacing(in values: JSON, with value: JSON) -> JSON { replacing(in: values) { _ in value } }

  private func replacing(in values: JSON, _ transform: (JSON) -> JSON) -> JSON {
    guard case .object(let object) = values else { return values }
    return .object(
      JSON.Object(
        object.members.map { member in
          let value =
            if variables.contains(member.key) {
              transform(member.value)
            } else if containers.contains(member.key) {
              below(member.value, transform)
            } else {
              member.value
            }
          return JSON.Object.Member(key: member.key, value: value)
        }))
  }

  /// The recursion is as deep as the value, which the parser limits.
  private func below(_ value: JSON, _ transform: (JSON) -> JSON) -> JSON {
    switch value {
    case .array(let elements): .array(elements.map { below($0, transform) })
    case .object(let object):
      .object(
        JSON.Object(
          object.members.map { member in
            JSON.Object.Member(
              key: member.key,
              value: member.key == name ? transform(member.value) : below(member.value, transform))
          }))
    default: value
    }
  }

  private static func has(_ name: String, in value: JSON) -> Bool {
    switch value {
    case .array(let elements): elements.contains { has(name, in: $0) }
    case .object(let object):
      object.members.contains { $0.key == name || has(name, in: $0.value) }
    default: false
    }
  }
}

/// The names of the variables that a queued document declares.
struct DeclaredVariables {
  private(set) var names: [String] = []

  /// Reads the variable definitions (specification: 2.10 Variables), which come before the first selection
  /// set. Default values have no variables.
  ///
  /// - Parameter document: one operation, as the runtime writes it.
  init(in document: String) {
    var name: String?
    var isInString = false
    var isEscaped = false
    var depth = 0
    for character in document.unicodeScalars {
      if isInString {
        if !isEscaped, character == "\"" { isInString = false }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      if let known = name {
        if character.isNameScalar {
          name = known + String(character)
          continue
        }
        names.append(known)
        name = nil
      }
      switch character {
      case "\"": isInString = true
      case "(": depth += 1
      case ")":
        depth -= 1
        // Directives of the operation follow, which may use variables.
        if depth == 0 { return }
      case "{" where depth == 0: return
      case "$" where depth > 0: name = ""
      default: continue
      }
    }
  }

  /// - Throws: ``OutboxError`` `invalidMutation` for variables that a server would reject.
  func check(_ variables: JSON) throws(Graph.OutboxError) {
    guard case .object(let object) = variables else {
      throw Graph.OutboxError(
        .invalidMutation,
        "the variables are not a JSON object, or were damaged: set all of them, or send another mutation "
          + "in its place")
    }
    let unknown = object.members.map(\.key).filter { !names.contains($0) }
    guard let first = unknown.first else { return }
    throw Graph.OutboxError(
      .invalidMutation,
      "the mutation declares no variable \(first); it declares \(names.joined(separator: ", "))")
  }
}

extension Unicode.Scalar {
  /// Whether the byte is allowed in a name (specification: 2.1.8 Names).
  fileprivate var isNameScalar: Bool {
    self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
      || ("0"..."9").contains(self)
  }
}
