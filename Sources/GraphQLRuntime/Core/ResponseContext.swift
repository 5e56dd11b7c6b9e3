extension GraphQL {
  /// Facts about a response in addition to its data.
  package struct ResponseContext: Equatable, Sendable {
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
    /// The paths of the values that the last payload has brought; nil if the response did not arrive in parts.
    package var arrived: Set<[ResponsePathElement]>?
    /// The paths of announced lists that are complete since the last payload.
    package var completedLists: Set<[ResponsePathElement]> = []

    package var errors: [ResponseError]

    /// The context of a whole response.
    ///
    /// - Parameter errors: in addition to those in its text.
    package init(errors: [ResponseError] = []) { self.errors = errors }

    package static let complete = ResponseContext()

    func with(_ added: [ResponseError]) -> Self {
      if added.isEmpty { return self }
      var context = self
      context.errors += added
      return context
    }
  }
}
