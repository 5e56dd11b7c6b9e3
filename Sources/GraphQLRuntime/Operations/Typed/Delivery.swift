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

  /// How much of a response has arrived.
  package struct ResponseProgress: Sendable {
    /// A deferred fragment or a streamed list.
    package struct Part: Hashable, Sendable {
      /// Of the object with the fragment, or of the list.
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

    package static let complete = ResponseProgress()

    package init() {}
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
    let (progress, part) = (recorded.progress, GraphQL.ResponseProgress.Part(path, label))
    if progress.hasNext, !progress.failed.has(part) { return .pending }
    return .failed(recorded.errors(below: path))
  }

  /// Whether all items of a streamed list have arrived. The key is its response name, and the label that of
  /// `@stream`.
  public func delivery(
    _ slot: Int, ofList key: StaticString, _ label: String? = nil
  ) -> GraphQL.Delivery {
    guard unsafe !tape.isEmpty(slot: record + 1 + slot) else { return .excluded }
    guard let recorded = document.recorded else { return .complete }
    let progress = recorded.progress
    guard progress.hasNext || !progress.failed.isEmpty else { return .complete }
    let path = path(in: recorded) + [.key("\(key)")]
    let part = GraphQL.ResponseProgress.Part(path, label)
    if progress.failed.has(part) { return .failed(recorded.errors(below: path)) }
    return progress.hasNext && progress.announced?.has(part) != false ? .pending : .complete
  }

  private func path(in recorded: GraphQL.RecordedText) -> [GraphQL.ResponsePathElement] {
    recorded.path(toObjectAt: unsafe tape.offset(ofRecord: record))
  }
}

extension Set<GraphQL.ResponseProgress.Part> {
  /// Some services do not repeat the labels of the document.
  fileprivate func has(_ part: Element) -> Bool {
    contains(part) || part.label != nil && contains(Element(part.path, nil))
  }
}

extension GraphQL.RecordedText {
  /// The errors of the value with that path, and of all in it.
  fileprivate func errors(below path: [GraphQL.ResponsePathElement]) -> [GraphQL.ResponseError] {
    errors.filter { $0.path.starts(with: path) }
  }
}
