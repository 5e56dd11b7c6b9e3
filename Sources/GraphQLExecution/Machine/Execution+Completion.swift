import GraphJSON
import GraphQLSchema

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
