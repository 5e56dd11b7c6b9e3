import GraphJSON
import GraphQLSchema

extension ConfigurationReader {
  /// The members of an object. Unknown keys are reported and left out.
  mutating func members(of node: JSONNode, keys: [String]) -> [JSONNode.Member] {
    guard let members = node.members else {
      error("WrongType", "An object is expected here.", at: node)
      return []
    }
    checkKeys(of: node)
    return members.filter { member in
      if keys.contains(member.key) { return true }
      error(
        "UnknownKey", "There is no key \(quoted(member.key)) here.", at: member.keyNode,
        suggestion: didYouMean(member.key, among: keys)
          ?? "The keys are \(keys.map { "`\($0)`" }.joined(separator: ", ")).")
      return false
    }
  }

  /// An object with names that the user chooses.
  mutating func dictionary<Value: Sendable & Equatable>(
    _ node: JSONNode, read: (inout ConfigurationReader, JSONNode) -> Value?
  ) -> [String: Located<Value>] {
    guard let members = node.members else {
      error("WrongType", "An object is expected here.", at: node)
      return [:]
    }
    checkKeys(of: node)
    var result: [String: Located<Value>] = [:]
    for member in members {
      guard let value = read(&self, member.value) else { continue }
      result[member.key] = Located(value, at: position(of: member.keyNode))
    }
    return result
  }

  /// Reports keys that are there twice: which value is meant is not known.
  private mutating func checkKeys(of node: JSONNode) {
    for key in node.repeatedKeys {
      error("DuplicateKey", "The key \(quoted(key.string ?? "")) is here twice.", at: key)
    }
  }

  mutating func array(_ node: JSONNode) -> [JSONNode] {
    if let elements = node.array { return elements }
    error("WrongType", "A list is expected here.", at: node)
    return []
  }

  mutating func string(_ node: JSONNode) -> String? {
    if let string = node.string { return string }
    error("WrongType", "A string is expected here.", at: node)
    return nil
  }

  mutating func bool(_ node: JSONNode) -> Bool? {
    if let bool = node.bool { return bool }
    error("WrongType", "`true` or `false` is expected here.", at: node)
    return nil
  }

  mutating func strings(in node: JSONNode) -> [String] { strings(array(node)) }

  mutating func strings(_ nodes: [JSONNode]) -> [String] { nodes.compactMap { string($0) } }

  mutating func names(in node: JSONNode) -> [String] { array(node).compactMap { name($0) } }

  mutating func name(_ node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    if Identifier.isName(text) { return text }
    error("InvalidName", "\(quoted(text)) is not a name.", at: node)
    return nil
  }

  /// One of the values of an enum.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(_ node: JSONNode) -> Choice?
  where Choice.RawValue == String {
    guard let text = string(node) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let choices = Choice.allCases.map(\.rawValue)
    error(
      "UnknownValue", "\(quoted(text)) is not a valid value here.", at: node,
      suggestion: didYouMean(text, among: choices)
        ?? "The values are \(choices.map { "`\($0)`" }.joined(separator: ", ")).")
    return nil
  }

  mutating func error(
    _ code: String, _ message: String, at node: JSONNode, suggestion: String? = nil
  ) {
    report.error(code, message, at: position(of: node), suggestion: suggestion)
  }

  func position(of node: JSONNode) -> SourcePosition {
    let range = node.document.sourceRange(at: node.index)
    return source.position(from: range.lowerBound, to: range.upperBound)
  }
}
