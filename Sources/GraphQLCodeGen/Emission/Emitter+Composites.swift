extension Emitter {
  /// The class that selects fields of a composite type.
  func queryClass(_ type: CompositePlan, _ writer: inout SourceWriter) {
    writer.blank()
    comment(type.documentation, &writer)
    writer.block("\(classAccess)class \(type.queryClass): \(Generated.abstractQuery)") { writer in
      let result: SourceText = " -> \(type.queryClass)"
      // The table has the lines of the same fields in the same order.
      for (position, field) in type.fields.enumerated() {
        writer.blank()
        builder(field, at: String(position), result: result, &writer)
      }
      for condition in type.conditions {
        writer.blank()
        builder(condition, of: type, &writer)
      }
    }
  }

  private func builder(
    _ field: FieldPlan, at position: String, result: SourceText, _ writer: inout SourceWriter
  ) {
    comment(field.documentation, &writer)
    attribute(field.deprecation, &writer)
    writer.line("@discardableResult")
    var parameters: [SourceText] = []
    parameters.reserveCapacity(field.arguments.count + 2)
    parameters.append(aliasParameter)
    for argument in field.arguments { parameters.append(parameter(argument, default: "nil")) }
    if let subfields = field.subfields {
      parameters.append("_ subfields: (\(subfields)) -> \(standard("Void"))")
    }
    let head: SourceText = "\(memberAccess)func \(field.method)"
    writer.function(head, parameters, result: result) { writer in
      if field.arguments.isEmpty, field.subfields != nil {
        writer.line("\(RuntimeSymbols.child)(\(position), alias, subfields)")
        return writer.line("return self")
      }
      writer.line("\(RuntimeSymbols.field)(\(position), alias)")
      for argument in field.arguments {
        writer.line(
          "\(RuntimeSymbols.argument)(\"\(argument.schemaName)\", \(argument.variable))")
      }
      if field.subfields != nil { writer.line("\(RuntimeSymbols.child)(subfields)") }
      writer.line("return self")
    }
  }

  private func builder(
    _ condition: ConditionPlan, of type: CompositePlan, _ writer: inout SourceWriter
  ) {
    writer.comment("Selects fields of the objects that are of the type `\(condition.schemaName)`.")
    writer.line("@discardableResult")
    let subfields: SourceText = "_ subfields: (\(condition.queryClass)) -> \(standard("Void"))"
    let head: SourceText = "\(memberAccess)func \(condition.method)"
    writer.function(head, [subfields], result: " -> \(type.queryClass)") { writer in
      writer.line("\(RuntimeSymbols.on)(\"\(condition.schemaName)\", subfields)")
      writer.line("return self")
    }
  }
}

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

extension Emitter {
  /// The protocol of an interface or union.
  func abstractType(_ type: CompositePlan, _ writer: inout SourceWriter) {
    let inherited = type.protocols.isEmpty ? [RuntimeSymbols.abstractResponse] : type.protocols
    writer.blank()
    comment(type.documentation, &writer)
    writer.line(
      "\(access)protocol \(type.responseType): \(inherited.joined(separator: ", ")) {}")
  }

  /// The accessors of an interface, in an extension: requirements would have to match the types of
  /// the fields exactly, but implementing types may narrow them.
  func abstractAccessors(_ type: CompositePlan, _ writer: inout SourceWriter) {
    guard !type.fields.isEmpty else { return }
    writer.blank()
    writer.block("\(nonisolated)extension \(prefix)\(type.responseType)") { writer in
      accessors(type, access: access, prefix: prefix, &writer)
    }
  }
}
