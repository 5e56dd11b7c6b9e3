import GraphJSON

// Safe: the record is one of the document, and has the slot.
extension GraphQL.Fields {
  /// Whether a deferred fragment has arrived. The label is that of `@defer`.
  public func delivery(_ slot: Int, _ label: String? = nil) -> GraphQL.Delivery {
    let slot = record + 1 + slot
    if unsafe !tape.isEmpty(slot: slot) { return .complete }
    guard unsafe tape.isMissing(slot: slot) else { return .excluded }
    guard let recorded = document.recorded else { return .failed([]) }
    let path = path(in: recorded)
    let (context, part) = (recorded.context, GraphQL.ResponseContext.Part(path, label))
    if context.hasNext, !context.failed.has(part) { return .pending }
    return .failed(recorded.errors(below: path))
  }

  /// Whether all items of a streamed list have arrived. The key is its response name, and the label that of
  /// `@stream`.
  public func delivery(
    _ slot: Int, ofList key: StaticString, _ label: String? = nil
  ) -> GraphQL.Delivery {
    let isEmpty = unsafe tape.isEmpty(slot: record + 1 + slot)
    guard let recorded = document.recorded else { return isEmpty ? .excluded : .complete }
    let context = recorded.context
    if isEmpty {
      guard hasMember("\(key)", in: recorded) else { return .excluded }
      let errors = recorded.errors(below: path(in: recorded) + [.key("\(key)")])
      return errors.isEmpty ? .complete : .failed(errors)
    }
    guard context.hasNext || !context.failed.isEmpty else { return .complete }
    let path = path(in: recorded) + [.key("\(key)")]
    let part = GraphQL.ResponseContext.Part(path, label)
    if context.failed.has(part) { return .failed(recorded.errors(below: path)) }
    return context.hasNext && context.announced?.has(part) != false ? .pending : .complete
  }

  /// The value of a field, which has the response name `key`. It throws the error because of which it is null.
  public func orError<Value>(
    _ slot: Int, _ key: StaticString, _ value: Value?
  ) throws(GraphQL.ResponseError) -> Value? {
    guard unsafe tape.isEmpty(slot: record + 1 + slot), let recorded = document.recorded,
      !recorded.context.errors.isEmpty
    else { return value }
    if let error = recorded.errors(below: path(in: recorded) + [.key("\(key)")]).first {
      throw error
    }
    return value
  }

  /// Whether two objects with equal values have equal deliveries and errors.
  func hasEqualDeliveries(_ other: GraphQL.Fields) -> Bool {
    let (left, right) = (document.recorded, other.document.recorded)
    if left?.context.isPlain != false, right?.context.isPlain != false { return true }
    return deliveries(in: left) == other.deliveries(in: right)
  }

  private func deliveries(in recorded: GraphQL.RecordedText?) -> GraphQL.ResponseContext {
    guard let recorded else { return .complete }
    var context = recorded.context.below(path(in: recorded))
    // The store does not keep positions in the text that was sent.
    context.errors = context.errors.map { error in
      GraphQL.ResponseError(message: error.message, path: error.path, extensions: error.extensions)
    }
    return context
  }

  /// Whether the object has a member, which may be null.
  private func hasMember(_ key: String, in recorded: GraphQL.RecordedText) -> Bool {
    let (json, root) = (recorded.handle.document.json, recorded.handle.index)
    let offset = unsafe tape.offset(ofRecord: record)
    guard let object = json.object(atOffset: offset, in: root) else { return false }
    return json.member(key, of: object) != nil
  }

  private func path(in recorded: GraphQL.RecordedText) -> [GraphQL.ResponsePathElement] {
    recorded.path(toObjectAt: unsafe tape.offset(ofRecord: record))
  }
}

extension Set<GraphQL.ResponseContext.Part> {
  /// Some services do not repeat the labels of the document.
  fileprivate func has(_ part: Element) -> Bool {
    contains(part) || part.label != nil && contains(Element(part.path, nil))
  }
}

extension GraphQL.ResponseContext {
  /// Whether it is that of a whole response without errors.
  var isPlain: Bool { !hasNext && failed.isEmpty && errors.isEmpty }

  /// The facts about the object with that path, and about all in it. Their paths begin at the object.
  func below(_ path: [GraphQL.ResponsePathElement]) -> Self {
    func isBelow(_ other: [GraphQL.ResponsePathElement]) -> Bool { other.starts(with: path) }
    func parts(_ parts: Set<Part>) -> Set<Part> {
      Set(
        parts.filter { isBelow($0.path) }
          .map { Part(Array($0.path.dropFirst(path.count)), $0.label) })
    }
    var context = Self()
    context.failed = parts(failed)
    context.announced = announced.map { parts($0).subtracting(context.failed) }
    context.hasNext = hasNext && context.announced?.isEmpty != true
    // An object of which all has arrived is the same, however it arrived.
    if !context.hasNext { context.announced = nil }
    context.errors = errors.filter { isBelow($0.path) }.map { error in
      GraphQL.ResponseError(
        message: error.message, locations: error.locations,
        path: Array(error.path.dropFirst(path.count)), extensions: error.extensions)
    }
    return context
  }
}

extension GraphQL.RecordedText {
  /// The errors of the value with that path, and of all in it.
  fileprivate func errors(below path: [GraphQL.ResponsePathElement]) -> [GraphQL.ResponseError] {
    context.errors.filter { $0.path.starts(with: path) }
  }
}
