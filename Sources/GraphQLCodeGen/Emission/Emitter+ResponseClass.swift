extension Emitter {
  /// The class that reads objects of a type; of an abstract type, objects of unlisted types.
  func responseClass(_ type: CompositePlan, _ writer: inout SourceWriter) {
    let own = type.isAbstract ? [type.responseType] : []
    let supertypes =
      [Generated.abstractResponse] + own + type.protocols
      + (type.isIdentifiable ? [standard("Identifiable")] : []) + [uncheckedSendable]
    writer.blank()
    if type.isAbstract {
      writer.line(
        "/// A value of the abstract type \(type.schemaName) whose own type is not listed")
      writer.line("/// in the schema.")
    } else {
      comment(type.documentation, &writer)
    }
    let head: SourceText =
      "\(classAccess)class \(type.responseClass): \(supertypes.joined(separator: ", "))"
    guard !type.isAbstract else {
      writer.line("\(head) {}")
      return
    }
    writer.block(head) { writer in
      accessors(type, access: memberAccess, prefix: "", &writer)
    }
  }

  /// Properties that read fields, and readers of fields under an alias.
  ///
  /// - Parameter prefix: The namespace, for code outside of it.
  func accessors(
    _ type: CompositePlan, access: String, prefix: String, _ writer: inout SourceWriter
  ) {
    for field in type.fields {
      writer.blank()
      var documentation = field.documentation
      documentation.parameters = []
      let swiftType = field.type.spelled(prefix: prefix)
      comment(documentation, &writer)
      attribute(field.deprecation, &writer)
      writer.line(
        "\(access)var \(field.property): \(swiftType) { \(field.accessor)(\"\(field.schemaName)\") }"
      )
      guard let reader = field.aliasedReader else { continue }
      writer.blank()
      comment(documentation, &writer)
      attribute(field.deprecation, &writer)
      writer.block(
        "\(access)func \(reader)(alias: \(standard("String"))) -> \(swiftType)"
      ) { writer in
        writer.line("\(field.accessor)(\"\(field.schemaName)\", alias)")
      }
    }
  }

  /// The runtime's base class explains why unchecked is correct; every subclass restates it.
  var uncheckedSendable: String { "@unchecked \(standard("Sendable"))" }
}
