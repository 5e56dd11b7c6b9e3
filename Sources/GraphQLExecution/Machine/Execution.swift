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
