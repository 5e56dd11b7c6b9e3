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
