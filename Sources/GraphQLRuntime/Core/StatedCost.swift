extension GraphQL {
  /// The values of the directives `@cost` and `@listSize` at one definition of the schema
  /// (https://ibm.github.io/graphql-specs/cost-spec.html).
  ///
  /// The words of the table are a weight, `by:` with the slicing arguments and their defaults, `size:` with the
  /// assumed size, and `of:` with the sized fields.
  package struct StatedCost: Sendable, Hashable {
    package struct SlicingArgument: Sendable, Hashable {
      /// The name; with the names of fields of input objects after it: `["filter", "first"]`.
      package let path: [String]
      package let defaultValue: Double?
    }

    package private(set) var weight: Double?
    package private(set) var slicingArguments: [SlicingArgument] = []
    package private(set) var assumedSize: Double?
    package private(set) var sizedFields: [String] = []

    /// Whether the definition has `@listSize`.
    package var statesSize: Bool { assumedSize != nil || !slicingArguments.isEmpty }

    init(_ words: [String]) {
      for word in words {
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let text = parts.last else {
          weight = Double(word)
          continue
        }
        switch parts.first {
        case "by": slicingArguments = text.split(separator: ",").map(SlicingArgument.init)
        case "size": assumedSize = Double(text)
        case "of": sizedFields = text.split(separator: ",").map(String.init)
        default: break
        }
      }
    }
  }
}

extension GraphQL.StatedCost.SlicingArgument {
  fileprivate init(_ text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1)
    path = (parts.first ?? "").split(separator: ".").map(String.init)
    defaultValue = parts.count == 2 ? Double(parts[1]) : nil
  }
}
