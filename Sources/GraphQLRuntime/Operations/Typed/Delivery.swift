import GraphJSON

extension GraphQL {
  /// Whether a part of a response with `@defer` or `@stream` has arrived.
  public enum Delivery: Hashable, Sendable {
    /// All of it has arrived.
    case complete
    /// The service may still send it.
    case pending
    /// The service will not send it; with its errors for this part, which may be none.
    ///
    /// Also if it is missing in an object of a store, or in a response that was not streamed.
    case failed([ResponseError])
    /// It is not part of the response: the object is of another type, or a directive leaves it out.
    case excluded
  }

  /// Facts about a response in addition to its data.
  package struct ResponseContext: Sendable {
    /// A deferred fragment or a streamed list.
    package struct Part: Hashable, Sendable {
      /// The path of the object with the fragment, or of the list.
      package let path: [ResponsePathElement]
      package let label: String?

      package init(_ path: [ResponsePathElement], _ label: String?) {
        self.path = path
        self.label = label
      }
    }

    /// Whether the service will send more.
    package var hasNext = false
    /// The parts that it will send; nil if it does not announce them.
    package var announced: Set<Part>?
    /// The parts that it could not send.
    package var failed: Set<Part> = []

    package var errors: [ResponseError]

    /// The context of a whole response.
    ///
    /// - Parameter errors: in addition to those in its text.
    package init(errors: [ResponseError] = []) { self.errors = errors }

    static let complete = ResponseContext()

    func with(_ added: [ResponseError]) -> Self {
      if added.isEmpty { return self }
      var context = self
      context.errors += added
      return context
    }
  }
}

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
    guard unsafe !tape.isEmpty(slot: record + 1 + slot) else { return .excluded }
    guard let recorded = document.recorded else { return .complete }
    let context = recorded.context
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

extension GraphQL.RecordedText {
  /// The errors of the value with that path, and of all in it.
  fileprivate func errors(below path: [GraphQL.ResponsePathElement]) -> [GraphQL.ResponseError] {
    context.errors.filter { $0.path.starts(with: path) }
  }
}
