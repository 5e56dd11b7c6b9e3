import GraphJSON
import GraphQLSchema

/// One execution of an operation: sections 6.2.1, 6.2.2, 6.3 and 6.4.
///
/// A machine with its own stack, so that no document can exhaust the thread's stack. A frame is an
/// object or list whose fields or elements are being completed. Execution is depth first in the
/// order of the selections, one field at a time. This is the serial order that mutations require,
/// and makes results and the order of errors the same in every run.
struct Execution {
  let collector: FieldCollector
  let limits: ExecutionLimits

  var errors: [ExecutionError] = []
  /// The position that is being completed. It has as many elements as there are frames, one less
  /// between two positions.
  var path: [ResponsePath.Element] = []
  var frames: [Frame] = []
  var positionCount = 0
  /// The result of the root; nil during execution.
  var result: JSON?

  init(collector: FieldCollector, limits: ExecutionLimits) {
    self.collector = collector
    self.limits = limits
  }

  /// Executes a selection set on an object.
  mutating func run(
    _ selectionSet: Document.SelectionSet, on type: ObjectType, source: Resolved,
    with resolver: any Resolver
  ) async -> ExecutionResult {
    start(selectionSet, on: type, source: source)
    while let field = nextField() {
      let value: Resolved
      do {
        value = try await resolver.resolve(field.context)
      } catch {
        value = .failure(ExecutionError(resolving: error))
      }
      complete(value, as: field.node.type, field.node)
    }
    return ExecutionResult(data: result, errors: errors)
  }

  /// Executes a selection set on an object whose values need not be waited for.
  mutating func run(
    _ selectionSet: Document.SelectionSet, on type: ObjectType, source: Resolved,
    with resolve: (FieldContext) throws(ExecutionError) -> Resolved
  ) -> ExecutionResult {
    start(selectionSet, on: type, source: source)
    while let field = nextField() {
      let value: Resolved
      do throws(ExecutionError) {
        value = try resolve(field.context)
      } catch {
        value = .failure(error)
      }
      complete(value, as: field.node.type, field.node)
    }
    return ExecutionResult(data: result, errors: errors)
  }

  private mutating func start(
    _ selectionSet: Document.SelectionSet, on type: ObjectType, source: Resolved
  ) {
    do throws(ExecutionError) {
      let selection = try collector.collect([selectionSet], on: type)
      frames.append(Frame(selection, of: source, isNonNull: false))
    } catch {
      errors = [error]
      result = .null
    }
  }

  /// Completes fields and elements up to the next field that has to be resolved; nil at the end.
  private mutating func nextField() -> (node: FieldNode, context: FieldContext)? {
    while result == nil {
      let top = frames.count - 1
      let next = frames[top].next
      frames[top].next += 1
      if let selection = frames[top].selection, next < selection.fields.count {
        let node = selection.fields[next]
        path.append(.name(node.responseName))
        if let context = execute(node, of: frames[top].source) { return (node, context) }
      } else if let list = frames[top].list, next < list.items.count {
        path.append(.index(next))
        complete(list.items[next], as: list.itemType, list.node)
      } else {
        finishFrame()
      }
    }
    return nil
  }

  /// Section 6.4, ExecuteField: the context of a field that has to be resolved; others are completed.
  private mutating func execute(_ node: FieldNode, of source: Resolved) -> FieldContext? {
    switch node.kind {
    case .typename(let name): deliver(.string(name))
    case .invalid(let error): fail(error, node, isNonNull: node.type.isNonNull)
    case .introspection(let plan):
      let context = FieldContext(source: source, path: ResponsePath(path), plan: plan)
      complete(Introspection.resolve(context), as: node.type, node)
    case .resolved(let plan):
      return FieldContext(source: source, path: ResponsePath(path), plan: plan)
    }
    return nil
  }

  /// The innermost object or list is complete.
  private mutating func finishFrame() {
    guard let frame = frames.popLast() else { return }
    let value = frame.value
    if frames.isEmpty { result = value } else { deliver(value) }
  }

  /// Stops the execution, since the response exceeds its limit.
  mutating func stop() {
    errors.append(
      ExecutionError(
        "The response has more than \(limits.maximumPositions) values.", path: ResponsePath(path)))
    result = .null
  }

  /// Passes the value at the current position to its enclosing frame.
  mutating func deliver(_ value: JSON) {
    path.removeLast()
    frames[frames.count - 1].values.append(value)
  }

  /// Records an error at the current position and sets the position, or the nearest nullable
  /// position above it, to null (section 6.4.4).
  mutating func fail(_ error: ExecutionError, _ node: FieldNode, isNonNull: Bool) {
    var error = error
    if error.path == nil { error.path = ResponsePath(path) }
    if error.locations.isEmpty {
      error.locations = collector.sources.locations(of: node.fields.map(\.range))
    }
    errors.append(error)
    var isNonNull = isNonNull
    while isNonNull {
      let frame = frames.removeLast()
      if frames.isEmpty {
        result = .null
        return
      }
      path.removeLast()
      isNonNull = frame.isNonNull
    }
    deliver(.null)
  }
}

extension ExecutionError {
  /// The error of a resolver.
  init(resolving error: any Error) {
    self = error as? ExecutionError ?? ExecutionError(String(describing: error))
  }
}

/// Section 6.4.3, CompleteValue.
extension Execution {
  /// Completes the value at the current position: returns it, opens a frame for it, or fails.
  mutating func complete(_ value: Resolved, as type: TypeReference, _ node: FieldNode) {
    let isNonNull = type.isNonNull
    do throws(ExecutionError) {
      positionCount += 1
      if positionCount > limits.maximumPositions { return stop() }
      if case .failure(let error) = value { throw error }
      if case .json(.null) = value {
        if isNonNull { throw node.nullError }
        return deliver(.null)
      }
      if node.namedType.isLeafType, !type.isList { return deliver(try leaf(value, node)) }
      if frames.count >= limits.maximumDepth {
        throw ExecutionError("The response is nested more than \(limits.maximumDepth) levels deep.")
      }
      if let itemType = type.itemType {
        frames.append(
          Frame(try items(of: value, node), of: itemType, node, isNonNull: isNonNull))
      } else {
        let objectType = try objectType(of: value, node)
        let selection = try node.selection(on: objectType, collector)
        frames.append(Frame(selection, of: value, isNonNull: isNonNull))
      }
    } catch {
      fail(error, node, isNonNull: isNonNull)
    }
  }

  private func items(of value: Resolved, _ node: FieldNode) throws(ExecutionError) -> [Resolved] {
    switch value {
    case .list(let items): return items
    case .json(.array(let items)): return items.map(Resolved.json)
    default:
      throw ExecutionError("\(node.coordinate) requires a list, but its value is \(value.phrase).")
    }
  }

  /// Result coercion (sections 3.5 and 3.9).
  private func leaf(_ value: Resolved, _ node: FieldNode) throws(ExecutionError) -> JSON {
    guard case .json(let json) = value else {
      throw ExecutionError(
        "\(node.coordinate) requires a scalar, but its value is \(value.phrase).")
    }
    if case .enum(let type) = node.namedType {
      if case .string(let name) = json, type.values.contains(name: name) { return json }
    } else if let result = ScalarCoercion.result(json, node.namedType.name) {
      return result
    }
    throw ExecutionError(
      "\(json.phrase) is not a value of \(quoted(node.namedType.name)), the type of "
        + "\(node.coordinate).")
  }

  /// The type of an object; for an abstract type, its own `__typename` (ResolveAbstractType).
  private func objectType(
    of value: Resolved, _ node: FieldNode
  ) throws(ExecutionError) -> ObjectType {
    guard value.canBeObject else {
      throw ExecutionError(
        "\(node.coordinate) requires an object, but its value is \(value.phrase).")
    }
    if case .object(let type) = node.namedType { return type }
    guard let name = value.typeName else {
      throw ExecutionError(
        "\(node.coordinate) has the abstract type \(quoted(node.namedType.name)), and its value "
          + "does not specify its object type.")
    }
    guard case .object(let type)? = collector.schema.type(named: name),
      collector.schema.isSubtype(name, of: node.namedType.name)
    else {
      throw ExecutionError(
        "\(quoted(name)) is not a possible type of \(quoted(node.namedType.name)), the type of "
          + "\(node.coordinate).")
    }
    return type
  }
}

extension FieldNode {
  /// The field as messages show it.
  var coordinate: String {
    switch kind {
    case .introspection(let plan), .resolved(let plan):
      quoted("\(plan.parentType.name).\(plan.definition.name)")
    case .typename, .invalid: quoted(fields[0].name)
    }
  }

  fileprivate var nullError: ExecutionError {
    ExecutionError("\(coordinate) has the type \(quoted(type.description)), but its value is null.")
  }
}

extension Resolved {
  fileprivate var canBeObject: Bool {
    switch self {
    case .json(.object), .object: true
    default: false
    }
  }

  fileprivate var typeName: String? {
    switch self {
    case .object(_, let type): return type
    case .json(let json):
      if case .string(let name)? = json["__typename"] { return name }
      return nil
    case .list, .failure: return nil
    }
  }

  fileprivate var phrase: String {
    switch self {
    case .json(let json): json.phrase
    case .list: "a list"
    case .object: "an object"
    case .failure: "an error"
    }
  }
}

/// An object or list that is being completed.
struct Frame {
  /// The selection; nil for a list.
  let selection: SelectionPlan?
  /// The object's value; null for a list.
  let source: Resolved
  /// The elements; nil for an object.
  let list: (items: [Resolved], itemType: TypeReference, node: FieldNode)?
  /// Whether the whole value must not be null.
  let isNonNull: Bool
  /// How many fields or elements have been started.
  var next = 0
  /// The completed values.
  var values: [JSON] = []

  init(_ selection: SelectionPlan, of source: Resolved, isNonNull: Bool) {
    self.selection = selection
    self.source = source
    self.isNonNull = isNonNull
    list = nil
    values.reserveCapacity(selection.fields.count)
  }

  init(_ items: [Resolved], of itemType: TypeReference, _ node: FieldNode, isNonNull: Bool) {
    selection = nil
    source = .null
    list = (items, itemType, node)
    self.isNonNull = isNonNull
    values.reserveCapacity(items.count)
  }

  /// The complete object or list.
  var value: JSON {
    guard let selection else { return .array(values) }
    return .object(
      JSON.Object(
        zip(selection.fields, values).lazy.map {
          JSON.Object.Member(key: $0.responseName, value: $1)
        }))
  }
}
