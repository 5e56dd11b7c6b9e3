extension Emitter {
  /// A parameter of a function: `in in_: String? = nil`.
  func parameter(_ argument: ArgumentPlan, default value: String, prefix: String = "") -> SourceText
  {
    argument.parameter(default: value, prefix: prefix)
  }

  /// The attribute of a deprecated member.
  func attribute(_ deprecation: String?, _ writer: inout SourceWriter) {
    writer.attribute(deprecation)
  }

  /// A documentation comment.
  func comment(_ documentation: Documentation, _ writer: inout SourceWriter) {
    writer.comment(documentation)
  }
}
