import GraphJSON
import GraphQLSchema

/// Section 6.3.2, CollectFields, for one execution.
struct FieldCollector {
  let schema: ServiceSchema
  let fragments: [String: FragmentDefinition]
  let sources: [Source]
  let variables: JSON.Object

  /// Collects without recursion, since fragments may spread fragments in a chain as long as the
  /// document. Each fragment counts once.
  func collect(
    _ selectionSets: [Document.SelectionSet], on type: ObjectType
  ) throws(ExecutionError) -> SelectionPlan {
    var groups: [(responseName: String, fields: [Document.Field])] = []
    var positions: [String: Int] = [:]
    var visited: Set<String> = []
    var open = selectionSets.reversed().map { $0.selections[...] }
    while let selection = open.last?.first {
      open[open.count - 1].removeFirst()
      if open[open.count - 1].isEmpty { open.removeLast() }
      guard try isIncluded(selection.directives) else { continue }
      switch selection {
      case .field(let field):
        if let position = positions[field.responseName] {
          groups[position].fields.append(field)
        } else {
          positions[field.responseName] = groups.count
          groups.append((field.responseName, [field]))
        }
      case .fragmentSpread(let spread):
        guard visited.insert(spread.name).inserted, let fragment = fragments[spread.name],
          applies(fragment.typeCondition.name, to: type)
        else { continue }
        push(fragment.selectionSet, &open)
      case .inlineFragment(let fragment):
        if let condition = fragment.typeCondition, !applies(condition.name, to: type) { continue }
        push(fragment.selectionSet, &open)
      }
    }
    return SelectionPlan(fields: groups.compactMap { node($0.responseName, $0.fields, on: type) })
  }

  private func push(
    _ selectionSet: Document.SelectionSet, _ open: inout [ArraySlice<Document.Selection>]
  ) {
    if !selectionSet.selections.isEmpty { open.append(selectionSet.selections[...]) }
  }

  /// DoesFragmentTypeApply: the object's type is the condition or one of its possible types.
  private func applies(_ condition: String, to type: ObjectType) -> Bool {
    schema.isSubtype(type.name, of: condition)
  }

  /// Whether neither `@skip` nor `@include` leaves a selection out (section 3.13.1).
  private func isIncluded(_ directives: [Document.Directive]) throws(ExecutionError) -> Bool {
    if directives.isEmpty { return true }
    if let skip = directives["skip"], try condition(of: skip) { return false }
    if let include = directives["include"], try !condition(of: include) { return false }
    return true
  }

  private func condition(of directive: Document.Directive) throws(ExecutionError) -> Bool {
    var coercer = InputCoercer(schema: schema)
    coercer.variables = variables
    let definitions = ServiceSchema.builtInDirectives[directive.name]?.arguments ?? []
    let arguments = try coercer.coerceArguments(
      directive.arguments, definitions, at: directive.range, sources)
    if case .bool(let condition)? = arguments["if"] { return condition }
    return false
  }

  /// Nil for a field that the type does not have, which validation rejects.
  private func node(
    _ responseName: String, _ fields: [Document.Field], on type: ObjectType
  ) -> FieldNode? {
    let field = fields[0]
    guard let definition = schema.selectableField(named: field.name, on: .object(type)),
      let namedType = schema.namedType(of: definition.type)
    else { return nil }
    return FieldNode(
      responseName: responseName, kind: kind(of: field, fields, definition, namedType, on: type),
      fields: fields, type: definition.type, namedType: namedType)
  }

  private func kind(
    of field: Document.Field, _ fields: [Document.Field], _ definition: FieldDefinition,
    _ namedType: NamedType,
    on type: ObjectType
  ) -> FieldNode.Kind {
    if field.name == "__typename" { return .typename(type.name) }
    var arguments = JSON.Object()
    if !definition.arguments.isEmpty {
      var coercer = InputCoercer(schema: schema)
      coercer.variables = variables
      do throws(ExecutionError) {
        arguments = try coercer.coerceArguments(
          field.arguments, definition.arguments, at: field.range, sources)
      } catch {
        return .invalid(error)
      }
    }
    let plan = FieldPlan(
      schema: schema, parentType: type, definition: definition, namedType: namedType,
      fields: fields,
      arguments: arguments)
    return field.name.hasPrefix("__") || type.name.hasPrefix("__")
      ? .introspection(plan) : .resolved(plan)
  }
}
