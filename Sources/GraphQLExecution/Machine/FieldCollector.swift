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

/// The fields that a selection set selects on one object type, merged by response name (section
/// 6.3.2, CollectFields). Created once per execution, for any number of objects.
final class SelectionPlan {
  let fields: [FieldNode]

  init(fields: [FieldNode]) { self.fields = fields }
}

/// One of the fields of a ``SelectionPlan``.
final class FieldNode {
  let responseName: String
  let kind: Kind
  /// The selections that were merged into the field.
  let fields: [Document.Field]
  /// The field's type in the schema.
  let type: TypeReference
  /// The type under all wrappers.
  let namedType: NamedType
  /// The selections on each object type that the field's values have had.
  private var selections: [String: Result<SelectionPlan, ExecutionError>] = [:]

  enum Kind {
    /// `__typename`: the name of the object's type.
    case typename(String)
    case introspection(FieldPlan)
    case resolved(FieldPlan)
    /// The arguments cannot be coerced.
    case invalid(ExecutionError)
  }

  init(
    responseName: String, kind: Kind, fields: [Document.Field], type: TypeReference,
    namedType: NamedType
  ) {
    self.responseName = responseName
    self.kind = kind
    self.fields = fields
    self.type = type
    self.namedType = namedType
  }

  /// The selections on an object type of the field's value, collected on first use.
  func selection(
    on type: ObjectType, _ collector: FieldCollector
  ) throws(ExecutionError) -> SelectionPlan {
    if let known = selections[type.name] { return try known.get() }
    let result: Result<SelectionPlan, ExecutionError>
    do throws(ExecutionError) {
      result = .success(try collector.collect(fields.compactMap(\.selectionSet), on: type))
    } catch {
      result = .failure(error)
    }
    selections[type.name] = result
    return try result.get()
  }
}
