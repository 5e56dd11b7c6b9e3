import GraphJSON

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
