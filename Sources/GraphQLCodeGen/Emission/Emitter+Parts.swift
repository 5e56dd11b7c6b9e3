extension Emitter {
  /// A parameter of a function: `in in_: String? = nil`.
  func parameter(_ argument: ArgumentPlan, default value: String, prefix: String = "") -> SourceText
  {
    let label = SwiftKeywords.spelledLabel(argument.label)
    let name = argument.label == argument.variable ? label : label + " " + argument.variable
    let type = argument.type.spelled(prefix: prefix)
    return argument.isRequired ? "\(name): \(type)" : "\(name): \(type) = \(value)"
  }

  /// The attribute of a deprecated member.
  func attribute(_ deprecation: String?, _ writer: inout SourceWriter) {
    guard let deprecation else { return }
    writer.line("@available(*, deprecated, message: \(EscapedText.literal(deprecation)))")
  }

  /// A documentation comment: the description, notes, then a line per parameter.
  func comment(_ documentation: Documentation, _ writer: inout SourceWriter) {
    if documentation.isEmpty { return }
    var needsGap = false
    if let description = documentation.description {
      writer.comment(description)
      needsGap = true
    }
    if !documentation.notes.isEmpty {
      if needsGap { writer.comment("") }
      writer.comment(documentation.notes.map(sentence).joined(separator: " "))
      needsGap = true
    }
    if !documentation.parameters.isEmpty, needsGap { writer.comment("") }
    for parameter in documentation.parameters {
      var text = "- Parameter " + parameter.name + ":"
      if let description = parameter.description { text += " " + EscapedText.line(description) }
      for note in parameter.notes { text += " " + sentence(note) }
      writer.comment(text)
    }
  }

  private func sentence(_ note: Documentation.Note) -> String {
    switch note {
    case .defaultValue(let text): "Default: \(EscapedText.code(text))."
    case .deprecated(let reason): "Deprecated: \(EscapedText.line(reason))"
    case .nullOnlyWithError(true, items: false): "Null only with an error."
    case .nullOnlyWithError(false, items: _): "Its items are null only with an error."
    case .nullOnlyWithError(true, items: true): "It and its items are null only with an error."
    }
  }
}
