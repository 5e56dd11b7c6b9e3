import GraphJSON

/// The position of the object's expected version in a mutation's variables.
struct VersionArgument {
  let name: String

  /// The version in the variables; nil if there is none.
  func value(in variables: JSON) -> JSON? {
    var found: JSON?
    _ = replacing(in: variables) { value in
      found = found ?? value
      return value
    }
    return found
  }

  func replacing(in variables: JSON, with version: JSON) -> JSON {
    replacing(in: variables) { _ in version }
  }

  private func replacing(in variables: JSON, _ transform: (JSON) -> JSON) -> JSON {
    guard case .object(let object) = variables else { return variables }
    return .object(
      JSON.Object(
        object.members.map { member in
          JSON.Object.Member(
            key: member.key,
            value: isVariable(member.key)
              ? transform(member.value) : below(member.value, transform))
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

  /// The variable of the top-level argument; nil if there is none.
  func variable(in variables: JSON) -> String? {
    guard case .object(let object) = variables else { return nil }
    return object.members.first { $0.key == name || isVariable($0.key) }?.key
  }

  /// Whether a variable belongs to the argument: it is named after it, with its ordinal.
  private func isVariable(_ variable: String) -> Bool {
    guard variable.hasPrefix(name) else { return false }
    let rest = variable.dropFirst(name.count)
    let ordinal = rest.hasPrefix("_") ? rest.dropFirst() : rest
    return ordinal.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
