import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// Finds the values that the errors of a response explain.
  package enum ErroredValues {
    /// The positions of the fields that an error made null, or whose list contains such a null.
    ///
    /// A null propagates to the nearest nullable position (specification: 6.4.4 Handling Execution
    /// Errors), so an error's path may continue below it.
    package static func positions(
      of errors: [ResponseError], in json: JSONDocument, data: Int
    ) -> Set<Int> {
      var positions: Set<Int> = []
      for error in errors {
        var value = data
        var field: Int?
        for step in error.path {
          guard let next = child(step, of: value, in: json) else { break }
          if case .key = step { field = next }
          value = next
        }
        if json.isNull(at: value), let field { positions.insert(field) }
      }
      return positions
    }

    private static func child(
      _ step: ResponsePathElement, of value: Int, in json: JSONDocument
    ) -> Int? {
      switch (step, json.kind(at: value)) {
      case (.key(let name), .object): return json.member(name, of: value)
      case (.index(let ordinal), .array):
        guard ordinal >= 0, ordinal < json.count(at: value) else { return nil }
        var element = json.firstChild(of: value)
        for _ in 0..<ordinal { element = json.next(after: element) }
        return element
      default: return nil
      }
    }
  }
}
