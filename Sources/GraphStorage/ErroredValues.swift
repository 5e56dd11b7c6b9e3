import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// Finds the values that the errors of a response explain.
  package enum ErroredValues {
    /// The positions of the fields and elements of lists that an error made null, and of streamed lists that have
    /// failed.
    ///
    /// A null propagates to the nearest nullable position (specification: 6.4.4 Handling Execution
    /// Errors), so an error's path may continue below it.
    package static func positions(
      of errors: [ResponseError], in json: JSONDocument, data: Int, arrived: ArrivedValues? = nil
    ) -> Set<Int> {
      var positions: Set<Int> = []
      for error in errors {
        var value = data
        for step in error.path {
          guard let next = json.child(step, of: value) else { break }
          value = next
        }
        if json.isNull(at: value) || arrived?.hasFailed(value) == true { positions.insert(value) }
      }
      return positions
    }
  }
}

extension JSONDocument {
  /// The value at a step below another one; nil if there is none.
  func child(_ step: GraphQL.ResponsePathElement, of value: Int) -> Int? {
    switch (step, kind(at: value)) {
    case (.key(let name), .object): return member(name, of: value)
    case (.index(let ordinal), .array):
      guard ordinal >= 0, ordinal < count(at: value) else { return nil }
      var element = firstChild(of: value)
      for _ in 0..<ordinal { element = next(after: element) }
      return element
    default: return nil
    }
  }
}
