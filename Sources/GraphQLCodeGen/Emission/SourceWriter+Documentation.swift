extension SourceWriter {
  /// The attribute of a deprecated member.
  mutating func attribute(_ deprecation: String?) {
    guard let deprecation else { return }
    line("@available(*, deprecated, message: \(EscapedText.literal(deprecation)))")
  }

  /// A documentation comment: the description, notes, then a line per parameter.
  mutating func comment(_ documentation: Documentation) {
    if documentation.isEmpty { return }
    var needsGap = false
    if let description = documentation.description {
      comment(description)
      needsGap = true
    }
    if !documentation.notes.isEmpty {
      if needsGap { comment("") }
      comment(documentation.notes.map(Self.sentence).joined(separator: " "))
      needsGap = true
    }
    if !documentation.parameters.isEmpty, needsGap { comment("") }
    for parameter in documentation.parameters {
      var text = "- Parameter " + parameter.name + ":"
      if let description = parameter.description { text += " " + EscapedText.line(description) }
      for note in parameter.notes { text += " " + Self.sentence(note) }
      comment(text)
    }
  }

  private static func sentence(_ note: Documentation.Note) -> String {
    switch note {
    case .defaultValue(let text): "Default: \(EscapedText.code(text))."
    case .deprecated(let reason): "Deprecated: \(EscapedText.line(reason))"
    case .nullOnlyWithError(true, items: false): "Null only with an error."
    case .nullOnlyWithError(false, items: _): "Its items are null only with an error."
    case .nullOnlyWithError(true, items: true): "It and its items are null only with an error."
    }
  }
}

extension ArgumentPlan {
  /// The parameter of a function: `in in_: String? = nil`.
  func parameter(default value: String, prefix: String = "") -> SourceText {
    let label = SwiftKeywords.spelledLabel(label)
    let name = self.label == variable ? label : label + " " + variable
    let type = type.spelled(prefix: prefix)
    return isRequired ? "\(name): \(type)" : "\(name): \(type) = \(value)"
  }
}
